import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hideSuppressions } from '../../../src/newsletter/suppressions/address-marks.ts'
import { addSuppressions, suppress, suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
import { addressKey, addressMark } from '../../../src/store/address-key.ts'
import { newProject, NOW, write } from '../../support/shared-store.ts'
import { found, rows } from './stored.ts'

test('The hidden suppression of a deleted contact holds, and shows its address when it comes back.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const both = [
    { email: 'ada@example.com', reason: 'complaint' as const },
    { email: 'bo@example.com', reason: 'manual' as const },
  ]
  await write((tx) => suppressAddresses(tx, project, both, NOW))
  await write((tx) => suppressAddresses(tx, other, both, NOW))
  for (const { email } of both)
    await write((tx) => suppress(tx, { project_id: project, email, reason: 'manual', note: email, now: NOW }))
  await write((tx) => hideSuppressions(tx, project, ['ADA@example.com']))
  const hidden = await rows<{ email: string; email_key: string; note: string }>(
    sql`SELECT email, email_key, note FROM suppressions WHERE project_id = ${project} ORDER BY id`,
  )
  expect(hidden).toEqual([
    { email: '', email_key: expect.stringMatching(/^#/), note: '' },
    { email: 'bo@example.com', email_key: 'bo@example.com', note: 'bo@example.com' },
  ])
  expect(await found(project, 'ada@example.com')).toMatchObject({ reason: 'complaint', email: '' })
  expect(await found(other, 'ada@example.com')).toMatchObject({ email: 'ada@example.com' })
  await write((tx) => suppress(tx, { project_id: project, email: ' Ada@example.com ', reason: 'manual', now: NOW }))
  expect(await found(project, 'ada@example.com')).toMatchObject({ reason: 'complaint', email: 'Ada@example.com' })
})

test('Suppressions that are hidden under earlier spellings of an address become one when it comes back.', async () => {
  const project = await newProject()
  const key = await write((tx) => addressKey(tx, project))
  const hidden = [
    ['ada@bücher.example', 'manual'],
    ['ada@xn--bcher-kva.example', 'complaint'],
  ].map(([spelling, reason]) => ({ email: '', email_key: addressMark(key, spelling!), reason: reason as 'manual' }))
  await write((tx) => addSuppressions(tx, project, hidden, NOW))
  expect(await found(project, 'ada@BÜCHER.example')).toMatchObject({ reason: 'complaint' })
  await write((tx) => suppress(tx, { project_id: project, email: 'ada@bücher.example', reason: 'manual', now: NOW }))
  expect(await rows(sql`SELECT email, email_key, reason FROM suppressions WHERE project_id = ${project}`)).toEqual([
    { email: 'ada@bücher.example', email_key: 'ada@xn--bcher-kva.example', reason: 'complaint' },
  ])
})
