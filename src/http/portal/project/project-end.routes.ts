import { Type } from '@sinclair/typebox'
import { hostOf } from '../../../accounts/message-templates.ts'
import { getUser } from '../../../accounts/users.ts'
import { iso } from '../../../clock.ts'
import { deleteProject } from '../../../deletion/project.ts'
import { invalid } from '../../../errors.ts'
import { sentThisMonth } from '../../../newsletter/outbox/quota.ts'
import { listApiKeys, MAX_KEYS } from '../../../projects/api-keys.ts'
import { exportedProject } from '../../../projects/export.ts'
import { handOver, listMembers, MAX_MEMBERS } from '../../../projects/members.ts'
import { tellAdministrators } from '../../../projects/notices.ts'
import { getProject } from '../../../projects/projects.ts'
import { USAGE_LIMITS, usageOf } from '../../../projects/usage.ts'
import { enumOf, nullable, obj, Timestamp } from '../../../schema.ts'
import { USAGE_KINDS } from '../../../store/tables/accounts.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { streamed } from '../../core/stream.ts'
import { MemberRecord, memberRecord } from './members.routes.ts'
import { personName } from '../pages/page-parts.ts'

const Count = Type.Integer({ minimum: 0 })
const Share = obj({ used: Count, limit: Count })
const STORED = USAGE_KINDS.filter((kind) => kind !== 'contacts')

const Usage = obj({
  contacts: Share,
  messages_this_month: obj({ used: Count, limit: nullable(Count), resets_on: Timestamp }),
  members: Share,
  api_keys: Share,
  stored: Type.Array(
    obj({ kind: enumOf(STORED), rows: Count, row_limit: Count, bytes: Type.Number(), byte_limit: Type.Number() }),
  ),
})

/** An export has rows of several megabytes, so few are open at once. */
const HELD_BYTES = 4 * 1024 * 1024

/** Routes for a project's usage, export, hand-over and deletion (docs/api/platform.md#usage). */
export const projectEndRoutes = [
  route({
    method: 'POST',
    path: '/project/usage',
    summary: 'What the project holds and sends, and the limits of it.',
    auth: 'session',
    role: 'member',
    response: obj({ usage: Usage }),
    async read(_, { db, project_id, config, now }) {
      const [project, used, sent, members, keys] = await Promise.all([
        getProject(db, project_id),
        usageOf(db, project_id),
        sentThisMonth(db, project_id, now),
        listMembers(db, project_id),
        listApiKeys(db, { project_id }),
      ])
      const of = new Map(used.map((row) => [row.kind, row]))
      const rows = { form_entries: config.form_entries_per_project, files: config.files_per_project }
      return {
        usage: {
          contacts: {
            used: of.get('contacts')?.rows ?? 0,
            limit: project.contact_limit ?? config.contacts_per_project,
          },
          messages_this_month: {
            used: Math.max(0, sent),
            limit: project.monthly_limit,
            resets_on: iso(nextMonth(now)),
          },
          members: { used: members.length, limit: MAX_MEMBERS },
          api_keys: { used: keys.length, limit: MAX_KEYS },
          stored: STORED.map((kind) => {
            const limit = { ...USAGE_LIMITS[kind], ...(kind in rows ? { rows: rows[kind as keyof typeof rows] } : {}) }
            const { rows: held = 0, bytes = 0 } = of.get(kind) ?? {}
            return { kind, rows: held, row_limit: limit.rows, bytes, byte_limit: limit.bytes }
          }),
        },
      }
    },
  }),

  route({
    method: 'GET',
    path: '/project/:projectId/export',
    summary: 'Everything that the project holds but credentials, as lines of JSON.',
    auth: 'session',
    cost: 20,
    role: 'owner',
    project: async ({ projectId }) => projectId,
    response: 'file',
    media_type: 'application/x-ndjson',
    audit: { target: 'project', reads: true },
    async respond(context) {
      const { db, store, project_id } = context
      const { slug } = await getProject(db, project_id)
      const pieces = exportedProject(store, project_id)
      const media_type = 'application/x-ndjson'
      return streamed(context, { status: 200, pieces, media_type, filename: `${slug}.jsonl`, held_bytes: HELD_BYTES })
    },
  }),

  route({
    method: 'POST',
    path: '/project/hand-over',
    summary: 'Makes another member the owner in the place of the caller, who stays an administrator.',
    auth: 'session',
    confirmed: true,
    role: 'owner',
    audit: { target: { kind: 'user', input: 'user_id' } },
    body: obj({ user_id: Type.String({ minLength: 1 }) }),
    response: obj({ member: MemberRecord }),
    errors: ['NOT_FOUND', 'CONFLICT'],
    async write({ user_id }, context) {
      const { tx, project_id, caller, wake, afterCommit } = context
      const member = await handOver(tx, project_id, caller.user_id, user_id)
      const project = await getProject(tx, project_id)
      await tellAdministrators(
        tx,
        context,
        { project_id, kind: 'project_notice' },
        {
          subject: 'Your project has another owner',
          paragraphs: [
            `${personName(await getUser(tx, caller.user_id))} made ${personName(member)} an owner of the project ` +
              `“${project.name}” at ${hostOf(context.base_url)} in their place.`,
          ],
        },
      )
      afterCommit(() => wake('mail'))
      return { member: memberRecord(member) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/delete',
    summary: 'Deletes the project with everything that it holds, at once and for good.',
    auth: 'session',
    confirmed: true,
    role: 'owner',
    audit: { target: 'project' },
    body: obj({ name: Type.String({ description: 'The name of the project, typed again.' }) }),
    response: Success,
    async write({ name }, context) {
      const { tx, project_id, caller, now, wake, afterCommit } = context
      const project = await getProject(tx, project_id)
      if (name.trim() !== project.name) throw invalid('/name', 'This is not the name of the project.')
      await tellAdministrators(
        tx,
        context,
        { project_id, kind: 'project_notice' },
        {
          subject: 'Your project was deleted',
          paragraphs: [
            `${personName(await getUser(tx, caller.user_id))} deleted the project “${project.name}” at ` +
              `${hostOf(context.base_url)}: its site, contacts, letters and everything else that it held.`,
          ],
        },
      )
      await deleteProject(tx, project, now)
      afterCommit(() => {
        wake('mail')
        wake('maintenance')
      })
    },
  }),
]

function nextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
