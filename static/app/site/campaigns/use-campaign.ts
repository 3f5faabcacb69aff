import { useAction } from '../../api/action.ts'
import { mutate, type RequestOf, type ResponseOf } from '../../api/calls.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { invalidate, keepAnswer, useRead } from '../../api/query.ts'

type Got = ResponseOf<'campaigns/get'>
export type CampaignOfPage = Got['campaign']
export type CampaignChanges = Omit<RequestOf<'campaigns/update'>, 'campaign_id' | 'expected_updated_at' | 'return'>

/** A campaign, and a way to change it. A change that conflicts with another person's is refused with CONFLICT. */
export function useCampaign(id: number) {
  const query = useRead('campaigns/get', { campaign_id: id })
  const campaign = query.data?.campaign
  const saving = useAction(async (changes: CampaignChanges) => {
    const { campaign: saved } = await mutate('campaigns/update', {
      campaign_id: id,
      expected_updated_at: campaign!.updated_at,
      return: 'summary',
      ...changes,
    })
    keepAnswer<Got>(callKey('campaigns/get', { campaign_id: id }), (kept) => ({
      campaign: { ...kept!.campaign, ...saved },
    }))
    invalidate('campaigns/readiness', 'campaigns/list', 'overview')
    return saved
  })
  return { campaign, error: query.error, reload: query.reload, saving }
}
