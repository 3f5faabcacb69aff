import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { data as document } from '../api/data.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { Select } from '../ui/field.tsx'
import { day } from '../ui/format.ts'
import { toast } from '../ui/toast.tsx'
import { testsOf, useTestProjects } from '../app-review/app-data.ts'

/** Projects of the team whose pages run the drafts, so that they can be tried before a review. */
export function TestProjects({ id }: { id: string }) {
  const { data, error, reload } = useTestProjects(id)
  const tests = data?.test_projects ?? []
  const invalidates = [testsOf(id)]
  const end = useAction(
    (projectId: string) =>
      sendOnce('DELETE /user/developer/apps/:id/test-projects/:projectId', {}, { params: { id, projectId } }),
    { invalidates, done: () => toast({ text: 'The drafts are off its pages with the next view.' }) },
  )
  return (
    <Card title="Try the drafts on a site">
      <div class="stack">
        <p class="quiet">
          The pages of a project that you administer get all scripts as they are saved here, in the place of the
          approved ones.
        </p>
        {error && <ErrorNote title="Test projects could not be loaded." error={error} retry={reload} />}
        <FlawSummary error={end.error} />
        {tests.length > 0 && (
          <ul class="plain-list" aria-label="Test projects">
            {tests.map(({ project_id, name, slug, added_by, added_on }) => (
              <li key={project_id} class="row">
                <a href={`/sites/${slug}/`} target="_blank" rel="noopener">
                  {name}
                </a>
                <span class="quiet small">
                  by {added_by.email}, since {day(added_on)}
                </span>
                <Button small kind="quiet" busy={end.busy} onClick={() => void end.run(project_id)}>
                  End<span class="visually-hidden"> the test in {name}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {data && <NewTest id={id} taken={tests.map(({ project_id }) => project_id)} />}
      </div>
    </Card>
  )
}

function NewTest({ id, taken }: { id: string; taken: readonly string[] }) {
  const free = document.projects.filter(
    (project) => (project.role === 'owner' || project.role === 'administrator') && !taken.includes(project.id),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const project = free.find((one) => one.id === chosen) ?? free[0]
  const begin = useAction(
    (project_id: string) => sendOnce('POST /user/developer/apps/:id/test-projects', { project_id }, { params: { id } }),
    { invalidates: [testsOf(id)], done: () => setChosen(null) },
  )
  if (!project)
    return taken.length === 0 ? (
      <p>
        You administer no project. <a href="/portal/">Make one</a> to try the scripts in.
      </p>
    ) : null
  return (
    <form
      class="row row-end"
      onSubmit={(event) => {
        event.preventDefault()
        void begin.run(project.id)
      }}
    >
      <FlawSummary title="The drafts are not on its pages." error={begin.error} />
      <Select
        label="Project"
        flaw={begin.error?.flawOf('/project_id')}
        value={project.id}
        onInput={setChosen}
        options={free.map(({ id: value, name }) => ({ value, label: name }))}
      />
      <Button type="submit" busy={begin.busy}>
        Put the drafts on its pages
      </Button>
    </form>
  )
}
