// The run's product has two gateways and two replicas of auth-tokens. After deaths of processes: own-product.all.test.ts.
import { narrows } from './narrowing.ts'
import { useSharedProduct } from './own-product/scene.ts'

useSharedProduct()
narrows()
