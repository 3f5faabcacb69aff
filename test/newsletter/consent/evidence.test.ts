import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { CONSENT_SOURCES } from '../../../src/newsletter/consent/consent-rule.ts'
import {
  type Consent,
  evidenceOf,
  type ToldConsent,
  wordingsOf,
  writeEvidence,
} from '../../../src/newsletter/consent/evidence.ts'
import { recordWithdrawals } from '../../../src/newsletter/consent/withdrawals.ts'
import type { ContactRow } from '../../../src/newsletter/contacts/contact.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { KEYS, newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const consent = (more: Partial<Consent> = {}): Consent => ({
  keys: KEYS,
  project_id: 1 as ProjectId,
  text: 'Yes.',
  source: CONSENT_SOURCES.form,
  now: NOW,
  address: '10.0.0.1',
  user_agent: 'Browser',
  ...more,
})

test('The client of a person is the person, the client of an integration is the caller.', () => {
  const person = { at: NOW, text: 'Yes.', source: 'form', named: 'form', address: '10.0.0.1', user_agent: 'Browser' }
  expect(evidenceOf(consent())).toEqual({ ...person, caller_address: null, caller_user_agent: null })
  expect(evidenceOf(consent({ source: CONSENT_SOURCES.upsert }))).toEqual({
    ...person,
    source: 'api',
    named: 'api',
    address: null,
    user_agent: null,
    caller_address: '10.0.0.1',
    caller_user_agent: 'Browser',
  })
})

test('The evidence may say more of its source, and what was told replaces the rest.', () => {
  expect(evidenceOf(consent({ source: CONSENT_SOURCES.signup }))).toMatchObject({
    source: 'signup',
    named: 'signup (unverified text)',
  })
  const told = { at: 5, text: 'Told.', ip: '::1', user_agent: 'Told', source: 'fair' }
  expect(evidenceOf(consent({ source: CONSENT_SOURCES.upsert }), told)).toEqual({
    at: 5,
    text: 'Told.',
    source: 'fair',
    named: 'fair',
    address: '::1',
    user_agent: 'Told',
    caller_address: '10.0.0.1',
    caller_user_agent: 'Browser',
  })
})

test('A new agreement is always stored, a repeated one only with a new wording or source.', async () => {
  const project_id = await newProject()
  const [one, other] = [await newList(project_id), await newList(project_id)]
  const id = await newContact(project_id, 'ada@example.com')
  const store = (
    fresh: (number | null)[],
    again: (number | null)[],
    text: string,
    shown: string,
    source = CONSENT_SOURCES.form as Consent['source'],
    address = '10.0.0.1',
  ) =>
    write(async (tx) => {
      const given = consent({ project_id, text, source, address })
      const contact = { id, consent_text: shown } as ContactRow
      const steps = [{ contact, fresh: fresh.map((list_id) => ({ list_id })), again, evidence: evidenceOf(given) }]
      await writeEvidence(tx, steps, await wordingsOf(tx, steps, given), given)
    })
  const stored = async () =>
    (
      await (
        await sharedStore()
      ).db.all<{ list_id: number | null; text: string | null; source: string }>(sql`
      SELECT consent.list_id, wording.text, consent.source FROM consents consent
      LEFT JOIN consent_wordings wording ON wording.id = consent.wording_id
      WHERE consent.contact_id = ${id} AND consent.project_id = ${project_id} ORDER BY consent.id`)
    ).map(({ list_id, text, source }) => [list_id, text, source])
  await store([one, null], [], 'Yes.', '')
  expect(await stored()).toEqual([
    [one, 'Yes.', 'form'],
    [null, 'Yes.', 'form'],
  ])
  // The contact shows this text already.
  await store([], [one], 'Yes.', 'Yes.')
  // The evidence has it, though the contact shows another.
  await store([], [one, null], 'Yes.', 'No.')
  await store([], [one], 'Yes.', 'No.', CONSENT_SOURCES.form, '10.0.0.2')
  await store([], [one], '', 'No.')
  expect(await stored()).toHaveLength(2)
  await store([], [one], 'Again.', 'Yes.')
  await store([], [other], 'Yes.', 'Again.')
  await store([], [one], 'Yes.', 'Again.', CONSENT_SOURCES.preferences)
  await store([one], [], '', 'Yes.')
  expect((await stored()).slice(2)).toEqual([
    [one, 'Again.', 'form'],
    [other, 'Yes.', 'form'],
    [one, 'Yes.', 'preferences'],
    [one, null, 'form'],
  ])
})

test('A consent that was told of is stored once, also where it repeats what the contact shows.', async () => {
  const project_id = await newProject()
  const id = await newContact(project_id, 'ada@example.com')
  const given = consent({ project_id, source: CONSENT_SOURCES.upsert })
  const store = (told: ToldConsent) =>
    write(async (tx) => {
      const contact = { id, consent_text: 'Yes.' } as ContactRow
      const steps = [{ contact, fresh: [], again: [null], told, evidence: evidenceOf(given, told) }]
      await writeEvidence(tx, steps, await wordingsOf(tx, steps, given), given)
    })
  for (const told of [{ at: 5 }, { at: 5 }, { at: 5, ip: '::1' }, { ip: '::1' }, { at: 6 }, { source: 'fair' }])
    await store(told)
  const { db } = await sharedStore()
  const stored = await db.all(sql`
    SELECT at, address, source, caller_address FROM consents WHERE contact_id = ${id} ORDER BY id`)
  const caller_address = '10.0.0.1'
  expect(stored).toEqual([
    { at: 5, address: null, source: 'api', caller_address },
    { at: 5, address: '::1', source: 'api', caller_address },
    { at: 6, address: null, source: 'api', caller_address },
    { at: NOW, address: null, source: 'fair', caller_address },
  ])
})

test('A withdrawal is evidence with its time, source, client and campaign.', async () => {
  const project_id = await newProject()
  const contact_id = await newContact(project_id, 'bo@example.com')
  const list_id = await newList(project_id)
  const from = { project_id, contact_id }
  await write((tx) => recordWithdrawals(tx, [], { now: NOW, source: 'api' }))
  await write((tx) =>
    recordWithdrawals(
      tx,
      [
        { ...from, list_id },
        { ...from, list_id: null },
      ],
      { now: NOW, source: 'api', address: '::1', user_agent: 'x' },
    ),
  )
  const rows = await (
    await sharedStore()
  ).db.all(sql`
    SELECT list_id, action, source, at, address, user_agent, campaign_id FROM consents
    WHERE contact_id = ${contact_id} ORDER BY id`)
  const row = { action: 'withdrawn', source: 'api', at: NOW, address: '::1', user_agent: 'x', campaign_id: null }
  expect(rows).toEqual([
    { ...row, list_id },
    { ...row, list_id: null },
  ])
})
