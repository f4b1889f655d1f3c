import { IsBoolean, IsInt, Max, Min, ValidateIf } from 'class-validator'
import { maxMachines } from '../../../shared/compute-settings.ts'
import { MayBeAbsent } from './rules.ts'

export class UpdateSettingsDto {
  /** Wanted only where nothing else is to be changed. */
  @ValidateIf(
    ({ auto_scaling_enabled, max_machines }: UpdateSettingsDto) =>
      auto_scaling_enabled !== undefined || max_machines === undefined,
  )
  @IsBoolean()
  auto_scaling_enabled?: boolean

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(maxMachines)
  max_machines?: number
}
