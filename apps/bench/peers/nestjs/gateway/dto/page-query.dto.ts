import { Type } from 'class-transformer'
import { IsInt, Matches, Max, MaxLength, Min } from 'class-validator'
import { MayBeAbsent } from './rules.ts'

export class PageQueryDto {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 25

  @MayBeAbsent()
  @Matches(/^[A-Za-z0-9_-]+$/)
  @MaxLength(200)
  cursor?: string
}
