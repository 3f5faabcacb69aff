import { note } from '../audit/record.ts'
import { getUser } from '../accounts/users.ts'
import { addMember } from '../projects/members.ts'
import {
  createProject,
  getProject,
  listProjects,
  type Project,
  projectRecord,
  updateProject,
} from '../projects/projects.ts'
import { type Role, ROLES } from '../shared/roles.ts'
import { columns } from './columns.ts'
import { command, UsageError } from './command.ts'
import { withStore, withStoreToRead } from './open.ts'

export const projectCreate = command({
  name: 'project create',
  summary: 'Create a project.',
  flags: {
    name: { takes: 'NAME', required: true, help: 'The display name.' },
    slug: { takes: 'SLUG', required: true, help: 'The name in URLs: a-z, 0-9 and hyphens.' },
    owner: { takes: 'EMAIL|ID', required: true, help: 'The user who owns it.' },
    domain: { takes: 'HOST', help: 'The host name of the site.' },
    'monthly-limit': { takes: 'N', help: 'Messages per month. Default: unlimited.' },
    'contact-limit': { takes: 'N', help: 'Number of contacts. Default: unlimited.' },
  },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const input = {
        name: flags.name,
        slug: flags.slug,
        domain: flags.domain,
        is_proven: true,
        monthly_limit: limit(flags['monthly-limit']),
        contact_limit: limit(flags['contact-limit']),
      }
      const owner = await getUser(store.db, flags.owner)
      const project = await store.write(async (tx) => {
        const created = await createProject(tx, input, owner.id, clock.now())
        note(tx, { target: `project:${created.public_id}`, project_id: created.id })
        return created
      })
      return {
        text: `Created ${project.slug} (${project.public_id}), owned by ${owner.email}.`,
        data: { ...record(project), owner_id: owner.id },
      }
    }),
})

export const projectList = command({
  name: 'project list',
  summary: 'List the projects.',
  run: ({ settings }) =>
    withStoreToRead(settings, async ({ store }) => {
      const projects = await listProjects(store.db)
      return {
        text: columns([
          ['ID', 'SLUG', 'NAME', 'DOMAIN'],
          ...projects.map(({ public_id, slug, name, domain, domain_claim }) => [
            public_id,
            slug,
            name,
            domain ?? (domain_claim === null ? '' : `${domain_claim} (unproven)`),
          ]),
        ]),
        data: { projects: projects.map(record) },
      }
    }),
})

export const projectSetDomain = command({
  name: 'project set-domain',
  summary: 'Set the domain of a project, which then needs no proof.',
  flags: {
    project: { takes: 'ID|SLUG', required: true, help: 'The project.' },
    domain: { takes: 'HOST', help: 'The host name of the site. Without it the project has no domain.' },
  },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const project = await store.write(async (tx) => {
        const { id } = await getProject(tx, flags.project)
        const updated = await updateProject(tx, id, { domain: flags.domain ?? null, is_proven: true }, clock.now())
        note(tx, { target: `project:${updated.public_id}`, project_id: id })
        return updated
      })
      const text =
        project.domain === null ? `${project.slug} has no domain.` : `${project.slug} is at ${project.domain}.`
      return { text, data: record(project) }
    }),
})

export const projectAddMember = command({
  name: 'project add-member',
  summary: 'Add a user to a project.',
  flags: {
    project: { takes: 'ID|SLUG', required: true, help: 'The project.' },
    user: { takes: 'EMAIL|ID', required: true, help: 'The user.' },
    role: { takes: 'ROLE', required: true, help: `One of ${ROLES.join(', ')}.` },
  },
  run({ flags, settings }) {
    const role = roleOf(flags.role)
    return withStore(settings, async ({ store, clock }) => {
      const [project, user] = await Promise.all([getProject(store.db, flags.project), getUser(store.db, flags.user)])
      await store.write(async (tx) => {
        await addMember(tx, project.id, { user_id: user.id, role }, clock.now())
        note(tx, { target: `user:${user.id}`, project_id: project.id, details: { role } })
      })
      return {
        text: `${user.email} is now ${role} of ${project.slug}.`,
        data: { project_id: project.public_id, user_id: user.id, role },
      }
    })
  },
})

function record(project: Project) {
  const { monthly_limit, contact_limit } = project
  return {
    ...projectRecord(project),
    ...(monthly_limit === null ? {} : { monthly_limit }),
    ...(contact_limit === null ? {} : { contact_limit }),
  }
}

function limit(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function roleOf(word: string): Role {
  const role = ROLES.find((known) => known === word)
  if (!role) throw new UsageError(`--role expects one of ${ROLES.join(', ')}.`)
  return role
}
