import { Type } from '@sinclair/typebox'
import { Deliverability, deliverabilityOf } from '../../../newsletter/campaigns/deliverability.ts'
import { obj } from '../../../schema.ts'
import { route } from '../../core/route.ts'

/** `/project/deliverability/get` (docs/api/delivery.md#deliverability). */
export const deliverabilityRoute = route({
  method: 'POST',
  path: '/project/deliverability/get',
  summary: 'How well messages arrive: by mailbox provider and day, with what waits, is blocked or needs a look.',
  auth: 'session',
  role: 'member',
  body: obj({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 })) }),
  response: obj({ deliverability: Deliverability }),
  async read({ days = 30 }, { db, store, project_id, now }) {
    return { deliverability: await deliverabilityOf({ db, heavy: store.heavy }, project_id, { days, now }) }
  },
})
