import { Type } from 'class-transformer'
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator'
import {
  type CommercialMode,
  emailPattern,
  endOfTime,
  type FieldValue,
  type Price,
} from '../../../shared/offers/offer-input.ts'
import { AbsentWith, IsFieldValues, MayBeAbsent } from './rules.ts'

class CustomerDto {
  @IsString()
  @Length(1, 200)
  display_name!: string

  @MayBeAbsent()
  @IsString()
  @Length(1, 200)
  external_id?: string
}

class PriceDto {
  @IsIn(['eur', 'usd'])
  currency!: Price['currency']

  @IsInt()
  @Min(0)
  @Max(100_000_000)
  unit_amount!: number

  @IsIn(['month', 'year'])
  interval!: Price['interval']
}

/** The three variants in one class. */
export class CreateOfferDto {
  @ValidateIf(
    ({ product_id, package_version_id, offer_channel_id }: CreateOfferDto) =>
      product_id !== undefined || package_version_id === undefined || offer_channel_id !== undefined,
  )
  @IsString()
  @Length(1, 55)
  product_id?: string

  @MayBeAbsent()
  @IsString()
  @Length(1, 55)
  package_version_id?: string

  @MayBeAbsent()
  @IsString()
  @Length(1, 54)
  offer_channel_id?: string

  @IsArray()
  @ArrayMaxSize(50)
  @MaxLength(254, { each: true })
  @Matches(emailPattern, { each: true })
  allowed_emails: string[] = []

  @MayBeAbsent()
  @IsFieldValues()
  field_values?: Record<string, FieldValue>

  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => CustomerDto)
  customer?: CustomerDto

  @MayBeAbsent()
  @IsString()
  @MaxLength(500)
  internal_note?: string

  @MayBeAbsent()
  @IsIn(['paid', 'non_billable_test'])
  commercial_mode?: CommercialMode

  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => PriceDto)
  pricing_request?: PriceDto

  @MayBeAbsent()
  @IsString()
  @MaxLength(500)
  notes?: string

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(endOfTime)
  expires_at?: number

  @ValidateIf(({ max_uses }: CreateOfferDto) => max_uses !== null)
  @IsInt()
  @Min(1)
  @Max(10_000)
  max_uses: number | null = 1

  @IsInt()
  @Min(1)
  @Max(1440)
  order_ttl_minutes = 120

  @MayBeAbsent()
  @IsString()
  @MaxLength(32)
  @AbsentWith('offer_channel_id')
  tier?: string
}
