import { type Static, Type } from '@sinclair/typebox'
import { hostOf } from '../../../accounts/message-templates.ts'
import { iso } from '../../../clock.ts'
import { listAllProjects, type ListedProject } from '../../../projects/directory.ts'
import { tellAdministrators } from '../../../projects/notices.ts'
import { getProject, projectRecord, setLimits } from '../../../projects/projects.ts'
import { nullable, obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { ProjectRecord } from '../../core/schemas.ts'
import { OPERATOR, PAGE_QUERY, SEARCH } from './people.routes.ts'

const MaybeLimit = nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const LIMITS = { monthly_limit: MaybeLimit, contact_limit: MaybeLimit }

const ListedRecord = obj({
  ...ProjectRecord.properties,
  ...LIMITS,
  owners: Type.Array(obj({ user_id: Type.String(), email: Type.String() })),
  members: Type.Integer(),
  contacts: Type.Integer(),
  sent_this_month: Type.Integer({ description: 'Messages of the calendar month (UTC).' }),
  created_on: Timestamp,
})

/** `/user/operator/projects/…`: all projects and their limits (docs/api/operator.md#projects). */
export const operatorProjectRoutes = [
  route({
    ...OPERATOR,
    path: '/user/operator/projects/list',
    summary: 'All projects, newest first; for administrators of the service.',
    body: obj({ search: SEARCH, ...PAGE_QUERY }),
    response: obj({ items: Type.Array(ListedRecord), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR'],
    async read(query, { store, keys, now }) {
      const { items, next_cursor } = await listAllProjects(store, keys, query, now)
      return { items: items.map(listedRecord), next_cursor }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/projects/limits',
    summary: 'Sets the limits of a project. Null is no limit; one that is left out stays.',
    body: obj({
      project_id: Type.String({ minLength: 1 }),
      monthly_limit: Type.Optional(MaybeLimit),
      contact_limit: Type.Optional(MaybeLimit),
    }),
    response: obj({ project: obj({ ...ProjectRecord.properties, ...LIMITS }) }),
    audit: { target: { kind: 'project', input: 'project_id' }, details: ['monthly_limit', 'contact_limit'] },
    errors: ['NOT_FOUND'],
    async write({ project_id, ...limits }, context) {
      const { tx, now, wake, afterCommit } = context
      const before = await getProject(tx, project_id)
      const { id } = before
      await setLimits(tx, id, limits, now)
      const project = await getProject(tx, id)
      const { monthly_limit, contact_limit } = project
      const answer = { project: { ...projectRecord(project), monthly_limit, contact_limit } }
      if (monthly_limit === before.monthly_limit && contact_limit === before.contact_limit) return answer
      const most = (limit: number | null) => (limit === null ? 'no limit' : `at most ${limit}`)
      await tellAdministrators(
        tx,
        context,
        { project_id: id, kind: 'project_notice' },
        {
          subject: 'The limits of your project changed',
          paragraphs: [
            `The operator of ${hostOf(context.base_url)} set the limits of the project “${project.name}”. ` +
              `Messages a month: ${most(monthly_limit)}. Contacts: ${most(contact_limit)}.`,
          ],
        },
      )
      afterCommit(() => wake('mail'))
      return answer
    },
  }),
]

function listedRecord(project: ListedProject): Static<typeof ListedRecord> {
  const { owners, members, contacts, sent_this_month, monthly_limit, contact_limit, created_at } = project
  return {
    ...projectRecord(project),
    monthly_limit,
    contact_limit,
    owners,
    members,
    contacts,
    sent_this_month,
    created_on: iso(created_at),
  }
}
