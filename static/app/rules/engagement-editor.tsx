import { letterName } from '../api/letter-name.ts'
import { useMemo } from 'preact/hooks'
import { read, type ResponseOf } from '../api/calls.ts'
import { Combobox, type Option } from '../ui/combobox.tsx'
import { count } from '../ui/format.ts'
import { DaysField } from './days-field.tsx'
import type { ValueProps } from './value-props.ts'

interface EngagementValueOf {
  campaign_id?: number
  in_last_days?: number
  machine?: 'include' | 'exclude'
  url?: string
}

/** The campaign, the period and the link of an engagement rule. */
export function EngagementValue({ rule, field, names, onChange }: ValueProps) {
  const value = (rule.value ?? {}) as EngagementValueOf
  const set = (more: EngagementValueOf) =>
    onChange({ ...rule, value: JSON.parse(JSON.stringify({ ...value, ...more })) as EngagementValueOf })
  const { campaign_id, url } = value
  const name = campaign_id === undefined ? undefined : names.campaign(campaign_id)
  const findLinks = useMemo(() => linkFinder(campaign_id), [campaign_id])
  return (
    <div class="rule-engagement">
      <Combobox
        label="Campaign"
        label_hidden
        placeholder="any campaign"
        clearable
        load={findCampaigns}
        value={campaign_id === undefined ? null : String(campaign_id)}
        chosen={
          campaign_id === undefined
            ? null
            : { value: String(campaign_id), label: name ?? (name === null ? 'deleted campaign' : '…') }
        }
        onChange={(id) => set({ campaign_id: id === null ? undefined : Number(id), url: undefined })}
      />
      <span class="quiet">in the last</span>
      <DaysField
        label="In the last days"
        placeholder="any"
        days={value.in_last_days}
        onChange={(in_last_days) => set({ in_last_days })}
      />
      {field.has_link && (campaign_id !== undefined || url !== undefined) && (
        <Combobox
          label="Link"
          label_hidden
          placeholder="any link"
          clearable
          load={findLinks}
          value={url ?? null}
          chosen={url === undefined ? null : { value: url, label: url }}
          onChange={(chosen) => set({ url: chosen ?? undefined })}
        />
      )}
    </div>
  )
}

async function findCampaigns(search: string): Promise<Option[]> {
  const { items } = await read('campaigns/list', { ...(search && { search }), order: 'newest', limit: 20 })
  return items.map(({ id, name, subject, status }) => ({
    value: String(id),
    label: letterName({ name, subject }),
    hint: status,
  }))
}

type Link = ResponseOf<'campaigns/stats'>['links'][number]

/** Searches the links of a campaign that were clicked. They are loaded once, unless that fails. */
function linkFinder(campaign_id: number | undefined): (search: string) => Promise<Option[]> {
  let known: readonly Link[] | null = null
  return async (search) => {
    if (campaign_id === undefined) return []
    known ??= (await read('campaigns/stats', { campaign_id })).links
    const wanted = search.toLowerCase()
    return known
      .filter(({ url }) => url.toLowerCase().includes(wanted))
      .slice(0, 20)
      .map(({ url, unique_clicks }) => ({ value: url, label: url, hint: count(unique_clicks, 'person', 'people') }))
  }
}
