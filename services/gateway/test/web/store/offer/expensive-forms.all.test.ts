import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { orderButton } from '../../page-scene.ts'
import { ordered, setOfferScene } from './offer-scene.ts'
import { expensiveToDraw, manyProperties } from './schema-zoo.ts'

const scene = forFile(setOfferScene)

const schemas = { '200 properties': manyProperties(200), ...expensiveToDraw }

test.each(Object.entries(schemas))('with %s loses no letter that is typed', async (_name, schema) => {
  const { path, hash } = await scene.newOffer({ schema })
  const { page, complaints } = await scene.visit(path, await scene.newCustomer())
  // Each letter is work for the form.
  const letters = 'twenty characters ok'
  await page
    .getByLabel(/^(Field 199|Plain)/)
    .first()
    .pressSequentially(letters)
  await page.getByRole('button', { name: orderButton }).click()
  await ordered(page)
  const [order] = await scene.orders(hash)
  expect(Object.values(order?.field_values ?? {})).toEqual([letters])
  expect(complaints).toEqual([])
})
