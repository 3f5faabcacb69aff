import { Type } from '@sinclair/typebox'
import { read } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { isReady, readinessOf } from './readiness.ts'
import { Check, getCampaign } from './resource.ts'

export const campaignReadiness = read({
  path: '/campaigns/readiness',
  scope: 'read',
  cost: 5,
  summary: 'Checks whether a campaign can be sent.',
  request: obj({ campaign_id: Id }),
  response: obj({
    ready: Type.Boolean({ description: 'True when no check of severity error failed.' }),
    checks: Type.Array(Check, { description: 'All checks, also those that passed.' }),
  }),
  async run({ campaign_id }, context) {
    const campaign = await getCampaign(context.db, context.project_id, campaign_id)
    const checks = await readinessOf(context, campaign, context.now, { dns: true })
    return { ready: isReady(checks), checks }
  },
})
