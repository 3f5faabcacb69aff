import { AppError, type Flaw, notFound } from '../../../errors.ts'
import { listProjectsOf, type Project } from '../../../projects/projects.ts'
import type { Runtime } from '../../../runtime.ts'
import { readForm } from '../../core/body.ts'
import { html, type Markup } from '../../core/markup.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { type Route, route } from '../../core/route.ts'
import { runForPage } from './page-operations.ts'
import { type Field, frame, type FormValues, inputs } from './pages.ts'
import { PAGE, page, type PageContext, seeOther } from './portal.ts'

export const SETUP_SENDING_PATH = `${PORTAL_PATH}/setup/sending`

/** The second step of the set-up: the sender and the connection. It can be skipped. */
export function setupSendingRoutes(runtime: Runtime): Route[] {
  return [
    route({
      method: 'GET',
      path: SETUP_SENDING_PATH,
      summary: 'The form for the sender of the first project, and how its mail leaves.',
      auth: 'session',
      ...PAGE,
      async respond(context) {
        const project = await firstProject(context)
        return page(200, stepPage(runtime, project, { from_name: project.name }, []))
      },
    }),
    route({
      method: 'POST',
      path: SETUP_SENDING_PATH,
      summary: 'Stores the sender, makes the sandbox the way that mail leaves when it is chosen, and leads on.',
      auth: 'session',
      audit: { target: 'user', rows: 'noted' },
      ...PAGE,
      respond: (context) => submit(runtime, context),
    }),
  ]
}

async function firstProject({ db, caller }: PageContext): Promise<Project> {
  const [project] = await listProjectsOf(db, caller.user_id)
  if (!project) throw notFound('project')
  return project
}

async function submit(runtime: Runtime, context: PageContext): Promise<Response> {
  const project = await firstProject(context)
  const home = `${PORTAL_PATH}/projects/${project.slug}`
  const values = await readForm(context)
  const { from_name = '', from_email = '', postal_address = '', way } = values
  const run = <Data>(operation: string, body: object) =>
    runForPage<Data>(runtime, context, { operation, body, project_id: project.public_id })
  try {
    await run('settings/update', { from_name, from_email, postal_address })
    if (way !== 'sandbox') return seeOther(`${home}/sending/new`)
    const { items } = await run<{ items: { id: number; provider: string }[] }>('connections/list', {})
    const known = items.find(({ provider }) => provider === SANDBOX.provider)
    const id = known?.id ?? (await run<Made>('connections/create', SANDBOX)).connection.id
    await run('connections/test', { connection_id: id })
    await run('settings/update', { default_connection_id: id })
    return seeOther(home)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    return page(400, stepPage(runtime, project, values, error.details as Flaw[]))
  }
}

const SANDBOX = { name: 'Sandbox', provider: 'sandbox' }
type Made = { connection: { id: number } }

const SENDER: readonly Field[] = [
  { name: 'from_name', label: 'Name', required: true },
  {
    name: 'from_email',
    label: 'Email address',
    type: 'email',
    hint: 'Letters come from it, such as news@example.com.',
    required: true,
  },
  {
    name: 'postal_address',
    label: 'Postal address',
    hint: 'It stands at the foot of every letter, as the law in many countries asks.',
    required: true,
  },
]

function stepPage({ config }: Runtime, project: Project, values: FormValues, flaws: readonly Flaw[]): Markup {
  const isSandbox = config.sandbox && values.way !== 'relay'
  return frame(
    'Who writes',
    html`
    <h1>Who writes</h1>
    <p>The account is ready. Answer two questions, and ${project.name} can send its first letter.</p>
    ${flaws.length > 0 && html`<p class="refusal" role="alert">Please look at the fields marked below.</p>`}
    <form method="post" action="${SETUP_SENDING_PATH}">
      <fieldset><legend>The sender</legend>${inputs(SENDER, values, flaws)}</fieldset>
      <fieldset><legend>How mail leaves</legend>
        ${config.sandbox && choice('sandbox', 'Try it first: messages are kept here, nobody gets one', isSandbox)}
        ${choice('relay', 'My provider or my own server, on the next page', !isSandbox)}
      </fieldset>
      <button>Go on</button>
    </form>
    <p><a href="${PORTAL_PATH}/projects/${project.slug}">Later</a></p>`,
  )
}

function choice(value: string, label: string, checked: boolean): Markup {
  return html`
        <label class="choice">
          <input type="radio" name="way" value="${value}"${checked && html` checked`}> ${label}
        </label>`
}
