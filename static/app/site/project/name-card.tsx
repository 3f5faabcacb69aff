import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { sendOnce } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import type { OwnProject } from './project-data.ts'

/** Name and slug. A change loads the application again at its new address. */
export function NameCard({ project }: { project: OwnProject }) {
  const name = useSignal(project.name)
  const slug = useSignal(project.slug)
  const save = useAction(
    () => sendOnce('POST /project/update', { project_id: projectId(), name: name.value, slug: slug.value }),
    { done: ({ project: saved }) => location.assign(`/portal/projects/${saved.slug}/settings`) },
  )
  const id = (
    <span class="row">
      <code>{project.id}</code> <CopyButton text={project.id} label="Copy the project id" />
    </span>
  )
  const isChanged = name.value !== project.name || slug.value !== project.slug
  if (!can('administrator')) {
    return (
      <Card title="Name">
        <Facts
          facts={[
            { label: 'Name', value: project.name },
            { label: 'Short name', value: project.slug },
            { label: 'Project id', value: id },
          ]}
        />
      </Card>
    )
  }
  return (
    <Card title="Name">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save.run(undefined)
        }}
      >
        <FlawSummary error={save.error} />
        <TextField
          label="Name"
          value={name.value}
          onInput={(value) => (name.value = value)}
          flaw={save.error?.flawOf('/name')}
          autocomplete="off"
        />
        <TextField
          label="Short name for addresses"
          hint={`a to z, 0 to 9 and hyphens. The site is at ${data.base_url}/sites/${slug.value}/`}
          value={slug.value}
          onInput={(value) => (slug.value = value)}
          flaw={save.error?.flawOf('/slug')}
          autocapitalize="none"
          spellcheck={false}
          autocomplete="off"
        />
        {slug.value !== project.slug && (
          <p class="small">
            Links to <code>/sites/{project.slug}/</code> lead nowhere afterwards, also those in letters that were sent.
            Links to unsubscribe stay good.
          </p>
        )}
        <div class="row">
          <Button kind="primary" type="submit" main busy={save.busy} disabled={!isChanged}>
            Save
          </Button>
        </div>
        <p class="row small quiet">Project id: {id}</p>
      </form>
    </Card>
  )
}
