import { note } from '../../../audit/record.ts'
import { AppError, type Flaw } from '../../../errors.ts'
import { createOwnProject } from '../../../projects/projects.ts'
import { readForm } from '../../core/body.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { route } from '../../core/route.ts'
import { home } from './home.routes.ts'
import { PAGE, type PageContext, seeOther } from './portal.ts'

/** The form of the start page that makes a project. */
export const newProjectRoutes = [
  route({
    method: 'POST',
    path: `${PORTAL_PATH}/projects`,
    summary: 'Creates a project, as `/project/create`, and leads to it.',
    auth: 'session',
    audit: { target: 'user' },
    ...PAGE,
    respond: submit,
  }),
]

const REFUSED: ReadonlySet<AppError['code']> = new Set(['VALIDATION_FAILED', 'CONFLICT', 'INVALID_STATE'])

async function submit(context: PageContext): Promise<Response> {
  const { caller, config, now } = context
  const values = await readForm(context)
  const limits = { most: config.projects_per_user, now }
  try {
    const { slug } = await context.write(async (tx) => {
      const project = await createOwnProject(tx, { name: values.name ?? '' }, caller.user_id, limits)
      note(tx, { target: `project:${project.public_id}`, project_id: project.id })
      return project
    })
    return seeOther(`${PORTAL_PATH}/projects/${slug}`)
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSED.has(error.code)) throw error
    const flaws = Array.isArray(error.details) ? (error.details as Flaw[]) : [{ path: '/name', message: error.message }]
    return home(context, error.status, { values, flaws })
  }
}
