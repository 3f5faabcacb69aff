import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hideSuppressions } from '../../../src/newsletter/suppressions/address-marks.ts'
import { suppress, suppressAddresses } from '../../../src/newsletter/suppressions/suppression.ts'
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
