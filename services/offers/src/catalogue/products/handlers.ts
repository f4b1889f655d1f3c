import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { createProduct } from './create-product.ts'
import { deleteProduct } from './delete-product.ts'
import { getProduct } from './get-product.ts'
import { listProducts } from './list-products.ts'
import { updateProduct } from './update-product.ts'

export const productsHandlers = {
  create_product: createProduct,
  list_products: listProducts,
  get_product: getProduct,
  update_product: updateProduct,
  delete_product: deleteProduct,
} satisfies Partial<Handlers<typeof offers, Deps>>
