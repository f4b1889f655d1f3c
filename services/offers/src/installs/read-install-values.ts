import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { orderContext, unsealValues, type Values } from '../sealing/sealed-values.ts'

/** The only answer with values of `format: password`. Which of the two is wrong, id or credential, nobody is told. */
export const readInstallValues: Handler<typeof offers.operations.read_install_values, Deps> = async (
  { params: { id }, headers },
  _caller,
  { sql, seal },
) => {
  const [found] = await sql<{ order_id: string; field_values: Values }>`/* offers.read_install_values */
    select order_id, field_values from installs
    where id = ${id} and credential_hash = ${headers['svc-install-credential']} and state = 'started'`
  if (!found) throw refusal('credential_invalid')
  return { body: { field_values: unsealValues(seal, found.field_values, orderContext(found.order_id)) } }
}
