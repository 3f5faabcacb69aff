import { sql } from 'drizzle-orm'
import { createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { createWorld } from '../../support/world.ts'

/** People who join and leave two lists and one with double opt-in, and what they are sent. */

interface Mail {
  id: number
  to: string
  text: string
}
export async function createLeavers() {
  const world = await createWorld()
  const news: number = (await readyToSend(world)).list_id
  const sports: number = (await world.ok('lists/create', { name: 'Sports' })).list.id
  const club: number = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  const everybody = { name: 'Everybody', rules: { op: 'and', rules: [] } }
  const segment: number = (await world.ok('segments/create', everybody)).segment.id

  let read = 0
  /** The messages that left since the last call. */
  async function newMail(): Promise<Mail[]> {
    await world.settle()
    const response = await world.fetch(`/general/sandbox/mailbox?after_id=${read}`)
    const { messages } = (await response.json()) as { messages: Mail[] }
    read = messages.at(-1)?.id ?? read
    return messages
  }

  const upsert = async (email: string, list_ids: number[], more = {}) =>
    (await world.ok('contacts/upsert', { email, consent_text: 'I agree', list_ids, ...more })).contact
  const find = async (email: string) => {
    const { status, body } = await world.call('contacts/get', { email })
    return status === 200 ? body.data : null
  }
  const post = (path: string, fields: [string, string][] = []) =>
    world.fetch(path, { method: 'POST', body: new URLSearchParams(fields) })

  async function campaign(include: { type: string; id?: number }[]): Promise<number> {
    const { campaign } = await world.ok('campaigns/create', {
      name: 'Tides',
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include },
    })
    return campaign.id
  }
  const sendTo = async (include: { type: string; id?: number }[]) => {
    await world.ok('campaigns/send', { campaign_id: await campaign(include) })
    return (await newMail()).map(({ to }) => to)
  }

  /** The link of a message: of a campaign to these lists, or of a confirmation when none is named. */
  async function linkTo(page: 'unsubscribe' | 'preferences', contact_id: number, list_ids: number[]): Promise<string> {
    const campaign_id = list_ids.length === 0 ? 0 : await campaign(list_ids.map((id) => ({ type: 'list', id })))
    const { keys, store } = world.service.runtime
    const [delivery] = await store.write((tx) =>
      tx.all<{ id: number }>(sql`
        INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
        SELECT project_id, 'link', id, email, 'sent', 0, 0 FROM contacts WHERE id = ${contact_id} RETURNING id`),
    )
    const token = createRecipientToken(keys, { delivery_id: delivery!.id, contact_id, campaign_id })
    return `/general/newsletter/${page}/${token}`
  }

  return { world, news, sports, club, segment, newMail, upsert, find, post, campaign, sendTo, linkTo }
}
