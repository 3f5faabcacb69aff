import { useState } from 'preact/hooks'
import { type RouteResponse, send } from '../../api/calls.ts'
import { data as document_data, projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { link } from '../../api/link.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { count, dateTime, number } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useForms } from './content.ts'
import { type FormSettings, FormSettingsDialog, settingsFor, SettingsWords, useFormSettings } from './form-settings.tsx'

type Form = RouteResponse<'POST /project/form-entries/forms'>['forms'][number]

/** The forms of the site, as their entries name them. */
export default function Forms() {
  const { data, error, busy, reload } = useForms()
  const settings = useQuery('/project/site-settings/get', () =>
    send('POST /project/site-settings/get', { project_id: projectId() }),
  )
  const rules = useFormSettings()
  const all = rules.data?.settings ?? []
  const [isChanging, setChanging] = useState(false)
  const html = formHtml(settings.data?.settings.proof_of_work ?? false)
  return (
    <>
      <PageHead
        title="Forms"
        count={data?.forms.length}
        lead="What visitors send by the forms on your pages. A form is listed from its first entry on."
      />
      <div class="stack stack-loose">
        {error && !data ? (
          <ErrorNote title="Forms could not be loaded." error={error} retry={reload} />
        ) : (
          <Table
            caption="Forms"
            columns={columnsOf(all)}
            rows={data?.forms ?? null}
            busy={busy}
            row_key={({ form }) => form}
            row_href={({ form }) => link(`/forms/${encodeURIComponent(form)}`)}
            empty={<Empty sentence="Nothing was sent yet. Paste the form below into a page to begin." />}
          />
        )}
        <Card
          title="Settings of every form"
          actions={can('editor') && rules.data && <Button onClick={() => setChanging(true)}>Change</Button>}
        >
          {rules.error && !rules.data ? (
            <ErrorNote title="The settings could not be loaded." error={rules.error} retry={rules.reload} />
          ) : (
            <p>
              <SettingsWords settings={settingsFor(all, null)} /> Each form may have settings of its own.
            </p>
          )}
        </Card>
        <Card title="How to build a form">
          <div class="stack">
            <p>
              Paste this into any page, and change the name of the form and its fields as you like. The field{' '}
              <code>website</code> stays hidden and empty: robots fill it in and are not taken.
            </p>
            <Code label="HTML of a form" text={html} />
          </div>
        </Card>
      </div>
      {isChanging && <FormSettingsDialog form={null} all={all} fields={[]} onClose={() => setChanging(false)} />}
    </>
  )
}

function columnsOf(all: readonly FormSettings[]): readonly Column<Form>[] {
  return [
    { id: 'form', head: 'Form', card: 'title', cell: ({ form }) => form },
    { id: 'entries', head: 'Entries', align: 'end', cell: ({ entries }) => number(entries) },
    { id: 'last', head: 'Newest entry', tight: true, cell: ({ last_on }) => dateTime(last_on) },
    {
      id: 'kept',
      head: 'Kept',
      tight: true,
      cell: ({ form }) => {
        const days = settingsFor(all, form)?.keep_days
        return days ? count(days, 'day', 'days') : 'For good'
      },
    },
  ]
}

/** Sample HTML of a form with three fields; with the proof of work, when the project asks for one. */
function formHtml(with_proof: boolean): string {
  const { base_url } = document_data
  const challenge = `${base_url}/general/project/form/challenge?project_id=${projectId()}`
  const proof = with_proof
    ? `  <script src="${base_url}/assets/public/altcha.js" defer></script>
  <altcha-widget challenge="${challenge}"></altcha-widget>
`
    : ''
  return `<form method="post" action="${base_url}/general/project/form/entry">
  <input type="hidden" name="project_id" value="${projectId()}">
  <input type="hidden" name="form" value="Contact">
  <p><label>Your name <input name="name" autocomplete="name" required></label></p>
  <p><label>Email address <input name="email" type="email" autocomplete="email" required></label></p>
  <p><label>Message <textarea name="message" rows="5" required></textarea></label></p>
  <p hidden><label>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label></p>
${proof}  <button>Send</button>
</form>`
}
