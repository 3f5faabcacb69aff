import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { data as documentData } from '../../api/data.ts'
import type { ResponseOf } from '../../api/calls.ts'
import { useRead } from '../../api/query.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeptFocus } from '../../ui/kept-focus.ts'
import { SayWhoWrites } from '../sending/say-who-writes.tsx'
import { ChooseConnection, MakeList } from './start-forms.tsx'
import { HOME_CONNECTIONS } from './home-requests.ts'

interface StepLine {
  id: string
  title: string
  isDone: boolean
  body: ComponentChildren
}

const MINUTES_A_STEP = 2

interface Props {
  overview: ResponseOf<'overview'> | undefined
}

/** Five steps to the first letter, with the first open one unfolded. Absent once they are done or dismissed. */
export function StartHere({ overview }: Props) {
  const settings = useRead('settings/get', {}).data?.settings
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items
  const dismissed = `masthead-start-${documentData.project!.id}`
  const [isGone, setGone] = useState(localStorage.getItem(dismissed) !== null)
  if (isGone || !settings || !connections || !overview) return null
  const hide = () => {
    localStorage.setItem(dismissed, 'yes')
    setGone(true)
  }
  const steps: StepLine[] = [
    {
      id: 'sender',
      title: 'Say who writes',
      isDone: settings.from_email !== '' && settings.from_name !== '' && settings.postal_address !== '',
      body: can('administrator') ? <SayWhoWrites settings={settings} /> : <p>{whoMay('This', 'administrator')}</p>,
    },
    {
      id: 'connection',
      title: 'Choose how mail leaves',
      isDone: connections.some(({ verified_at }) => verified_at !== null) && settings.default_connection_id !== null,
      body: can('administrator') ? <ChooseConnection /> : <p>{whoMay('This', 'administrator')}</p>,
    },
    { id: 'list', title: 'Make a list', isDone: overview.lists.length > 0, body: <MakeList /> },
    {
      id: 'people',
      title: 'Add people',
      isDone: overview.contacts.by_status.subscribed > 0,
      body: <AddPeople overview={overview} />,
    },
    {
      id: 'letter',
      title: 'Write the first letter',
      isDone: overview.campaigns.total > 0,
      body: (
        <Button kind="primary" href={link('/campaigns/new', { design: 'letter' })}>
          Choose a design
        </Button>
      ),
    },
  ]
  return <Steps steps={steps} onHide={hide} />
}

function AddPeople({ overview: { lists, contacts } }: { overview: ResponseOf<'overview'> }) {
  const { pending } = contacts.by_status
  return (
    <>
      {pending > 0 && (
        <p>{count(pending, 'person has', 'people have')} not confirmed yet. A letter reaches those who have.</p>
      )}
      <p class="quiet">An import takes a file, or rows that you paste: three addresses are enough.</p>
      <div class="row">
        <Button kind="primary" href={link('/imports/new')}>
          Import a file
        </Button>
        <Button href={link('/contacts', { add: 'yes' })}>Add one</Button>
        {lists[0] && (
          <Button kind="quiet" href={link(`/lists/${lists[0].id}/form`)}>
            Copy the sign-up form
          </Button>
        )}
      </div>
    </>
  )
}

function Steps({ steps, onHide }: { steps: readonly StepLine[]; onHide: () => void }) {
  const [opened, setOpened] = useState<string | null>(null)
  const left = steps.filter(({ isDone }) => !isDone)
  const current = opened ?? left[0]?.id ?? ''
  useKeptFocus(current, () => document.querySelector(`[aria-controls="start-${current}"]`))
  if (left.length === 0) return null
  return (
    <section class="start card" aria-labelledby="start-here">
      <header class="card-head">
        <h2 class="card-title" id="start-here">
          Start here
        </h2>
        <span class="quiet">
          {steps.length - left.length} of {steps.length} done. About{' '}
          {count(left.length * MINUTES_A_STEP, 'minute', 'minutes')} left.
        </span>
        <Button kind="quiet" small onClick={onHide}>
          Hide
        </Button>
      </header>
      <ol class="start-steps">
        {steps.map(({ id, title, isDone, body }) => (
          <li key={id} data-done={isDone ? '' : undefined}>
            <button
              type="button"
              aria-expanded={current === id}
              aria-controls={`start-${id}`}
              onClick={() => setOpened(current === id ? '' : id)}
            >
              <Icon name={isDone ? 'circle-check' : 'chevron-right'} label={isDone ? 'Done' : undefined} />
              {title}
            </button>
            {current === id && (
              <div class="start-body" id={`start-${id}`}>
                {body}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
