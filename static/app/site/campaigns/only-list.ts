import { useMemo, useState } from 'preact/hooks'
import type { AudienceSpec } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { useEvery } from '../../rules/every.ts'
import { isEditable } from './campaign-links.ts'
import type { CampaignOfPage } from './use-campaign.ts'

/** The project's only list, suggested for a campaign without an audience; null once the user declined. */
export function useOnlyList({ audience_spec, status }: CampaignOfPage): {
  offered: AudienceSpec | null
  refuse(): void
} {
  const [isRefused, setRefused] = useState(false)
  const lists = useEvery('lists/list', {}).data?.filter(({ archived }) => !archived) ?? []
  const isWanted = !isRefused && audience_spec.include.length === 0 && isEditable(status) && can('editor')
  const id = isWanted && lists.length === 1 ? lists[0]!.id : null
  const offered = useMemo<AudienceSpec | null>(
    () => (id === null ? null : { ...audience_spec, include: [{ type: 'list', id }] }),
    [id, audience_spec],
  )
  return { offered, refuse: () => setRefused(true) }
}
