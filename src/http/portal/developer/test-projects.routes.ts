import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { openApp } from '../../../developer/apps.ts'
import {
  addTestProject,
  listTestProjects,
  removeTestProject,
  type TestProject,
} from '../../../developer/test-projects.ts'
import { obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { APPS } from './apps.routes.ts'

const APP = `${APPS}/:id` as const
const TESTS = `${APP}/test-projects` as const

const TestRecord = obj({
  project_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  added_by: obj({ user_id: Type.String(), email: Type.String() }),
  added_on: Timestamp,
})
/** Projects in which a team tries its drafts (docs/api/platform.md#developer-apps). */
export const developerTestRoutes = [
  route({
    method: 'GET',
    path: TESTS,
    summary: 'The projects whose pages get the drafts of the app.',
    auth: 'session',
    response: obj({ test_projects: Type.Array(TestRecord) }),
    async read({ id }, { db, caller }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      return { test_projects: (await listTestProjects(db, app.id)).map(testRecord) }
    },
  }),

  route({
    method: 'POST',
    path: TESTS,
    summary: 'Gives the pages of a project that the caller administers the drafts of all scripts of the app.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { project_id: 'project_id' } },
    body: obj({ project_id: Type.String({ minLength: 1 }) }),
    response: obj({ test_project: TestRecord }),
    errors: ['CONFLICT', 'INSUFFICIENT_ROLE'],
    async write({ id, project_id }, { tx, caller, now }) {
      const app = await openApp(tx, id, caller.user_id, 'change')
      const given = { project_id, user_id: caller.user_id }
      return { test_project: testRecord(await addTestProject(tx, app.id, given, now)) }
    },
  }),

  route({
    method: 'DELETE',
    path: `${TESTS}/:projectId`,
    summary: 'Ends the test in a project.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { project_id: 'projectId' } },
    body: obj({}),
    response: Success,
    write: async ({ id, projectId }, { tx, caller }) =>
      removeTestProject(tx, (await openApp(tx, id, caller.user_id, 'change')).id, projectId),
  }),
]

function testRecord({ added_at, ...test }: TestProject): Static<typeof TestRecord> {
  return { ...test, added_on: iso(added_at) }
}
