import { ApiError } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { ConsolePages } from '../shell/scene.ts'

export function licencePages({ get }: ConsolePages) {
  get('/installs/:id/licence', async scene => {
    const { id = '' } = scene.params
    const issued = await scene.invoke(offers, 'create_licence', { params: { id } }).catch(error => {
      if (error instanceof ApiError && error.status === 409) return undefined
      throw error
    })
    if (!issued) return scene.go(`/installs/${id}`, 'unlicensed')
    return scene.reply
      .type('application/jwt')
      .header('content-disposition', `attachment; filename="${id}.licence"`)
      .send(issued.licence)
  })
}
