import { Type } from '@sinclair/typebox'
import { read } from '../../operation/declare.ts'
import { exactlyOneOf, Id, obj } from '../../schema.ts'
import { countAudience, EXCLUSION_REASONS } from './audience-count.ts'
import { AudienceSchema, requireAudience } from './audience-spec.ts'
import { getCampaign } from './resource.ts'

const Excluded = obj(
  Object.fromEntries(EXCLUSION_REASONS.map((reason) => [reason, Type.Integer({ minimum: 0 })])) as Record<
    (typeof EXCLUSION_REASONS)[number],
    ReturnType<typeof Type.Integer>
  >,
  {
    description:
      'Contacts that the include part names and that would not receive the campaign. Each counts once, under the ' +
      "first reason that applies: the exclude part, the contact's own status, suppression, its list memberships.",
  },
)

const AUDIENCE = exactlyOneOf('campaign_id', 'audience_spec')

export const audienceCount = read({
  path: '/campaigns/audience-count',
  scope: 'read',
  cost: 5,
  summary: 'Counts the recipients of an audience, and the contacts it leaves out by reason.',
  request: obj({ campaign_id: Type.Optional(Id), audience_spec: Type.Optional(AudienceSchema) }, AUDIENCE.keywords),
  response: obj({
    count: Type.Integer({ minimum: 0, description: 'Contacts that would receive the campaign now.' }),
    excluded: Excluded,
  }),
  async run(input, { db, store, project_id, now }) {
    const audience = AUDIENCE.of(input)
    if ('audience_spec' in audience) await requireAudience(db, project_id, audience.audience_spec)
    const { audience_spec } =
      'audience_spec' in audience ? audience : await getCampaign(db, project_id, audience.campaign_id)
    return countAudience(store, project_id, audience_spec, now)
  },
})
