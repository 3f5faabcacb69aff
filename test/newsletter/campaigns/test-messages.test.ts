import { expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { FixedClock } from '../../../src/clock.ts'
import { sendingProject } from '../../../src/newsletter/campaigns/content.ts'
import { getCampaign } from '../../../src/newsletter/campaigns/resource.ts'
import { composeTests } from '../../../src/newsletter/campaigns/test-messages.ts'
import type { Leased } from '../../../src/newsletter/outbox/outbox.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { TaskTimeout } from '../../../src/threads/heavy.ts'
import type { Store } from '../../../src/store/open.ts'
import { KEYS, newCampaign, newContact, newProject, NOW, sharedStore } from '../../support/shared-store.ts'

const content = (subject: string, more = '') =>
  JSON.stringify({
    ...{ subject, preheader: '', posts: [] },
    editor_json: {
      ...{ version: 1, settings: {} },
      blocks: [{ id: 'a', type: 'text', props: { html: `<p>Dear {{ contact.first_name }}${more}</p>` } }],
    },
  })

/** The compose function for tests of a campaign, and how often a document was compiled on another thread. */
async function composing(rows: Partial<Leased>[], heavyTask?: Store['heavyTask']) {
  const project = await newProject()
  const store = await sharedStore()
  const ada = await newContact(project, 'ada@x.example', { first_name: 'Grace' })
  const campaign = await getCampaign(store.db, project, await newCampaign(project, { subject: 'Changed since' }))
  const sender = { from_name: 'Harbour', from_email: 'news@harbour.example', reply_to: '' }
  const parts = { campaign, ...(await sendingProject(store.db, project)), sender }
  let compiled = 0
  const counting = ((task, input) => {
    compiled++
    return (heavyTask ?? store.heavyTask)(task, input)
  }) as Store['heavyTask']
  const runtime = { keys: KEYS, base_url: 'https://mail.example', clock: new FixedClock(NOW) }
  const leased = rows.map((row, at): Leased => {
    const known = { id: at + 1, project_id: project, kind: 'test' as const, campaign_id: campaign.id, contact_id: null }
    const to = row.contact_id === 1 ? { contact_id: ada } : {}
    return { ...known, email: 'own@x.example', attempts: 0, content: null, created_at: NOW, ...row, ...to }
  })
  const compose = await composeTests(
    { ...runtime, store: { ...store, heavyTask: counting } } as unknown as Runtime,
    parts,
    leased,
  )
  const read = async (at: number) => {
    const composed = compose(leased[at]!)
    if (!composed) return null
    const { subject, text, date } = await simpleParser(composed.message)
    return { to: composed.envelope.to, subject, greeting: text!.split('\n')[0], at: date!.getTime() }
  }
  return { read, compiled: () => compiled }
}

test('A test is composed as it was frozen, for its contact or else for a sample.', async () => {
  const { read } = await composing([
    { content: content('[Test] One') },
    { content: content('[Test] Two, {{ contact.last_name }}'), contact_id: 1, email: 'two@x.example' },
    { content: content('[Test] {{ contact.full_name }}'), contact_id: 999_999_999 },
    { content: null },
  ])
  const own = { to: 'own@x.example', at: NOW }
  expect(await read(0)).toEqual({ ...own, subject: '[Test] One', greeting: 'Dear Ada' })
  expect(await read(1)).toEqual({ to: 'two@x.example', at: NOW, subject: '[Test] Two,', greeting: 'Dear Grace' })
  expect(await read(2)).toMatchObject({ subject: '[Test] Ada Lovelace', greeting: 'Dear Ada' })
  expect(await read(3)).toBeNull()
})

test('A document is compiled once for all its tests, and one that takes too long stops only its own.', async () => {
  const large = content('[Test] Large', ` ${'tide '.repeat(3000)}`)
  const rows = [{ content: large }, { content: large }, { content: content('[Test] Small') }]
  const sound = await composing(rows)
  expect([(await sound.read(0))?.subject, (await sound.read(1))?.subject, sound.compiled()]).toEqual([
    ...['[Test] Large', '[Test] Large', 1],
  ])
  const slow = await composing(rows, () => Promise.reject(new TaskTimeout('compile_message')))
  expect([await slow.read(0), await slow.read(1), (await slow.read(2))?.subject, slow.compiled()]).toEqual([
    ...[null, null, '[Test] Small', 1],
  ])
  await expect(composing(rows, () => Promise.reject(new Error('The thread ended.')))).rejects.toThrow('thread ended')
})
