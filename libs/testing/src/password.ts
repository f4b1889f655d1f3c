/** The password of people in tests. */
export const password = 'a good long password'

/** Made with less memory and fewer rounds than in the product, whose hashing takes longer than all else in a test. */
export const passwordHash =
  '$argon2id$v=19$m=8,t=1,p=1$c2FsdC1vZi1wZW9wbGUtMQ$7ZUoMcgWSswueVO1r8mj9QGaEkw1dCrRQ1yzgyCC96g'
