import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { join } from 'node:path'
import { maySend } from '../../../src/newsletter/outbox/eligibility.ts'
import { replayFacts } from '../../../src/newsletter/restore/replay.ts'
import { createConfirmationToken } from '../../../src/newsletter/tracking/tokens.ts'
import { factLines } from '../../../src/store/facts.ts'
import { openStore } from '../../../src/store/open.ts'
import { randomness } from '../segments/population.ts'
import { createLeavers } from './leavers.ts'

/** Sequences of everything that may subscribe an address again, after its person left (docs/api/consent.md#leaving). */

const leavers = await createLeavers()
const { world, news, sports, club, segment, newMail, upsert, find, post, campaign, sendTo, linkTo } = leavers
afterAll(() => world.close())
// What an audience needs before anybody else joins.
await upsert('staying@example.com', [news])

/** Imports a file as its headers suggest. */
async function importCsv(csv: string, list_ids: number[]): Promise<void> {
  const { import: created, columns } = await world.ok('imports/create', { csv })
  const mapping = Object.fromEntries(
    columns.flatMap(({ index, suggested_field }: any) => (suggested_field ? [[index, suggested_field]] : [])),
  )
  const options = { list_ids, update_existing: true, create_tags: true, consent_text: 'Yes', consent_confirmed: true }
  await world.ok('imports/dry-run', { import_id: created.id, mapping, options })
  await world.ok('imports/commit', { import_id: created.id })
}

const STEPS = 50
/** A backup is made after so many steps, and restored in the end. */
const BACKUP_STEPS = 8

for (const seed of [1, 2])
  test(`Nobody who left last gets mail, whatever happens next (sequence ${seed}).`, async () => {
    const { pick, below } = randomness(seed)
    const addresses = Array.from({ length: 4 }, (_, index) => `p${seed}-${index}@example.com`)
    /** Who gets nothing any more; `left`: those who left by an act of their own under this address. */
    const [gone, left] = [new Set<string>(), new Set<string>()]
    const log: string[] = []
    const lists = [[news], [sports], [club], [news, sports], [news, club], []]
    const audiences = [[{ type: 'all' }], [{ type: 'list', id: news }], [{ type: 'segment', id: segment }]]
    const spelled = (email: string) => (below(4) === 0 ? email.toUpperCase() : email)
    /** The addresses that the contact of an address had before. */
    const former = new Map<string, string[]>()
    const leaves = async (email: string) => {
      gone.add(email)
      left.add(email)
      for (const earlier of former.get(email) ?? []) if (!(await find(earlier))) gone.add(earlier)
    }
    const acts: Record<string, (email: string) => Promise<unknown>> = {
      upsert: (email) => upsert(spelled(email), pick(lists)),
      signup: (email) =>
        world.fetch('/general/newsletter/signup', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            project_id: world.project.public_id,
            email: spelled(email),
            list_ids: pick(lists),
            consent_text: 'Yes',
          }),
        }),
      import: (email) => importCsv(`email\n${spelled(email)}\n`, pick(lists)),
      importActive: (email) => importCsv(`email,status\n${spelled(email)},active\n`, pick(lists)),
      async importGone(email) {
        await importCsv(`email,status\n${spelled(email)},${pick(['unsubscribed', 'complained'])}\n`, pick(lists))
        await leaves(email)
      },
      async importExport() {
        const { body } = await world.call('contacts/export', {})
        await importCsv(body as unknown as string, [])
      },
      async complain(email) {
        await world.ok('suppressions/add', { email: spelled(email), reason: 'complaint' })
        await leaves(email)
      },
      campaign: async () => world.call('campaigns/send', { campaign_id: await campaign(pick(audiences)) }),
      async bulk(email) {
        const known = await find(email)
        const act = { action: 'add_to_list', list_id: pick([news, club]), consent_text: 'Yes' }
        if (known) await world.ok('contacts/bulk', { contact_ids: [known.contact.id], ...act })
      },
      async membership(email) {
        const known = await find(email)
        const body = { list_id: pick([news, sports, club]), action: 'subscribe', consent_text: 'Yes' }
        if (known) await world.call('contacts/membership', { contact_id: known.contact.id, ...body })
      },
      async leave(email) {
        const known = await find(email)
        if (!known) return
        const on = known.contact.lists.filter(({ status }: any) => status === 'subscribed')
        const ids = on.map(({ list_id }: any) => list_id)
        const path = await linkTo(pick(['unsubscribe', 'preferences']), known.contact.id, ids.length > 0 ? ids : [])
        await post(path, path.includes('preferences') ? [['unsubscribe_all', '1']] : [])
        await leaves(email)
      },
      async rejoin(email) {
        if (below(3) > 0) return
        const known = await find(email)
        if (!known) return
        const { global_status } = await upsert(email, [news], { resubscribe: true })
        if (global_status !== 'subscribed') return
        gone.delete(email)
        left.delete(email)
      },
      async confirm(email) {
        const known = await find(email)
        if (!known) return
        const token = { contact_id: known.contact.id, email, list_ids: [club] }
        await post(`/general/newsletter/confirm/${createConfirmationToken(world.service.runtime.keys, token)}`)
      },
      async move(email) {
        const [known, to] = [await find(email), pick(addresses)]
        const isFree = (await find(to)) === null
        if (!known || !isFree) return
        await world.ok('contacts/update', { contact_id: known.contact.id, email: to })
        if (gone.has(email)) gone.add(to)
        former.set(to, [...(former.get(email) ?? []), email])
        former.delete(email)
      },
      async remove(email) {
        const known = await find(email)
        if (known) await world.ok('contacts/delete', { contact_id: known.contact.id })
        former.delete(email)
      },
      bounce: (email) => world.ok('suppressions/add', { email, reason: 'hard_bounce' }),
      async reset(email) {
        const known = await find(email)
        if (known) await world.call('contacts/reset-status', { contact_id: known.contact.id })
      },
      async unblock(email) {
        if (await find(email)) await world.call('suppressions/remove', { email })
      },
      ownLink: (email) => post(`/general/newsletter/own-link/${world.project.public_id}`, [['email', email]]),
    }
    const backups: { path: string; since: number }[] = []
    for (let step = 0; step < STEPS; step++) {
      if (step % BACKUP_STEPS === BACKUP_STEPS - 1) {
        const path = join(world.folder, `backup-${seed}-${step}.db`)
        backups.push({ path, since: world.clock.now() })
        const database = new Database(join(world.folder, 'masthead.db'), { readonly: true })
        await Bun.write(path, database.serialize())
        database.close()
      }
      const [name, email] = [pick(Object.keys(acts)), pick(addresses)]
      log.push(`${name} ${email}`)
      await acts[name]!(email)
      world.clock.advance(60 * 60_000)
      const reached = (await newMail()).map(({ to }) => to.toLowerCase()).filter((to) => gone.has(to))
      expect({ reached, log }).toEqual({ reached: [], log })
    }
    for (const include of audiences)
      expect((await sendTo(include)).filter((to) => gone.has(to.toLowerCase()))).toEqual([])

    for (const { path, since } of backups) {
      const restored = await openStore({ url: `file:${path}` })
      await replayFacts(restored, [factLines(join(world.folder, 'facts'), 0)], { since, is_complete: true })
      const reachable = await restored.db.all<{ email_key: string }>(
        sql`SELECT email_key FROM contacts contact WHERE ${maySend()}`,
      )
      await restored.close()
      const again = reachable.map(({ email_key }) => email_key).filter((email) => left.has(email))
      expect({ path, again, log }).toEqual({ path, again: [], log })
    }
  })
