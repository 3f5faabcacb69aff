import type { CampaignSummary } from '../../api/operations.d.ts'
import { link } from '../../api/link.ts'

export type Status = CampaignSummary['status']

/** Whether a campaign can be changed. */
export function isEditable(status: Status): boolean {
  return status === 'draft' || status === 'failed'
}

/**
 * The page that a link to a campaign opens: its letter while it can be edited, the review of a scheduled one, else the
 * report.
 */
export function campaignHref({ id, status }: Pick<CampaignSummary, 'id' | 'status'>): string {
  if (isEditable(status)) return link(`/campaigns/${id}/edit`)
  return link(status === 'scheduled' ? `/campaigns/${id}/review` : `/campaigns/${id}`)
}
