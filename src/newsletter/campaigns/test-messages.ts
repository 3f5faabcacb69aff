import type { Runtime } from '../../runtime.ts'
import type { TestContent } from '../../store/tables/delivery.ts'
import { SAMPLE_CONTACT } from '../../shared/merge-tags.ts'
import type { Compose } from '../outbox/hand-over.ts'
import type { Leased } from '../outbox/outbox.ts'
import { slowAsNull } from './compile-task.ts'
import { type CampaignContent, type CampaignParts, campaignContent } from './content.ts'
import { type Addressee, addressees } from './merge-values.ts'

/** The recipient of a test that names no contact. */
const SAMPLE: Addressee = {
  id: 0,
  ...SAMPLE_CONTACT,
  custom_fields: {},
}

/**
 * Composes test messages as the campaign's own: with its headers, footer and tracked links, and with the content of the
 * moment when the test was asked for (docs/api/campaigns.md#test-messages).
 */
export async function composeTests(runtime: Runtime, parts: CampaignParts, rows: readonly Leased[]): Promise<Compose> {
  const contacts = await addressees(
    runtime.store.db,
    rows.flatMap(({ contact_id }) => contact_id ?? []),
  )
  const contents = new Map<string, CampaignContent | null>()
  for (const { content } of rows) {
    if (content === null || contents.has(content)) continue
    const frozen = JSON.parse(content) as TestContent
    const campaign = { ...parts.campaign, ...frozen }
    contents.set(content, await campaignContent(runtime, { ...parts, campaign }).catch(slowAsNull))
  }
  return (row) => {
    const content = row.content === null ? undefined : contents.get(row.content)
    const addressee = contacts.get(row.contact_id ?? 0) ?? SAMPLE
    return content ? content.compose(row, addressee, runtime.clock.now()) : null
  }
}
