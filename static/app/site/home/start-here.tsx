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

/** Five steps to the first letter, with the first open one unfolded. Absent once they are done or dismissed. */
export function StartHere({ overview }: { overview: ResponseOf<'overview'> | undefined }) {
  const settings = useRead('settings/get', {}).data?.settings
  const connections = useRead('connections/list', HOME_CONNECTIONS).data?.items
  const dismissed = `masthead-start-${documentData.project!.id}`
  const [isGone, setGone] = useState(localStorage.getItem(dismissed) !== null)
  const [opened, setOpened] = useState<string | null>(null)
  if (isGone || !settings || !connections || !overview) return null
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
      isDone: overview.contacts.total > 0,
      body: (
        <div class="row">
          <Button kind="primary" href={link('/imports/new')}>
            Import a file
          </Button>
          <Button href={link('/contacts', { add: 'yes' })}>Add one</Button>
          {overview.lists[0] && (
            <Button kind="quiet" href={link(`/lists/${overview.lists[0].id}/form`)}>
              Copy the sign-up form
            </Button>
          )}
        </div>
      ),
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
  const left = steps.filter(({ isDone }) => !isDone)
  if (left.length === 0) return null
  const current = opened ?? left[0]!.id
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
        <Button
          kind="quiet"
          small
          onClick={() => {
            localStorage.setItem(dismissed, 'yes')
            setGone(true)
          }}
        >
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
