import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { memberAddresses, tellAdministrators } from '../../src/projects/notices.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { newProject, newUser, NOW, write } from '../support/shared-store.ts'

test('Administrators and owners who can sign in are told, and nobody else.', async () => {
  const [project_id, other] = [await newProject(), await newProject()]
  for (const role of ['owner', 'administrator', 'editor', 'member'] as const)
    await newUser({ email: `${role}@projects.example` }, [project_id, role])
  await newUser({ email: 'closed@projects.example', disabled_at: NOW }, [project_id, 'owner'])
  await newUser({ email: 'elsewhere@projects.example' }, [other, 'owner'])
  const parts = { subject: 'Told', paragraphs: ['Something happened.'] }
  await write((tx) => tellAdministrators(tx, senderAt(), { project_id, kind: 'app_notice' }, parts))
  for (const name of ['owner', 'administrator'])
    expect(await queuedFor(`${name}@projects.example`)).toMatchObject([{ kind: 'app_notice', subject: 'Told' }])
  for (const name of ['editor', 'member', 'closed', 'elsewhere'])
    expect(await queuedFor(`${name}@projects.example`)).toEqual([])
  const editors = await write((tx) => memberAddresses(tx, project_id, eq(members.role, 'editor')))
  expect(editors).toEqual(['editor@projects.example'])
})
