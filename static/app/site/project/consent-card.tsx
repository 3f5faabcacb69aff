import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { type RouteRequest, type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Switch } from '../../ui/choice.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { APPS } from './apps-data.ts'

type Settings = RouteResponse<'POST /project/site-settings/get'>['settings']
const SETTINGS = '/project/site-settings/get'

/** Whether visitors are asked before scripts run, and the words of the question. */
export function ConsentCard({ consent_required }: { consent_required: boolean }) {
  const { data, error, reload } = useQuery(SETTINGS, () =>
    send('POST /project/site-settings/get', { project_id: projectId() }),
  )
  const ask = useAction(
    (on: boolean) => send('POST /project/scripts/settings', { project_id: projectId(), consent_required: on }),
    {
      invalidates: [APPS],
      done: ({ settings: { consent_required: on } }) =>
        toast({
          text: on ? 'Visitors are asked from now on.' : 'Visitors are not asked any more.',
          undo: () => void ask.run(!on),
        }),
    },
  )
  const means = consent_required
    ? 'Only essential scripts run at once. The others wait until the visitor has agreed to their kind, and ' +
      'advertising stays away from browsers that send Global Privacy Control.'
    : 'Every script runs as soon as a page opens.'
  return (
    <Card title="Visitors’ consent" id="consent">
      <div class="stack">
        {ask.error && <ErrorNote title="This was not changed." error={ask.error} />}
        {can('administrator') ? (
          <Switch
            label="Ask visitors before scripts run"
            hint={means}
            checked={consent_required}
            busy={ask.busy}
            onChange={(on) => void ask.run(on)}
          />
        ) : (
          <p>
            <strong>Visitors are {consent_required ? 'asked' : 'not asked'}.</strong> {means}
          </p>
        )}
        {consent_required && (
          <>
            {error && <ErrorNote title="The banner could not be loaded." error={error} retry={reload} />}
            {!data && !error && <Skeleton lines={4} />}
            {data && <Wording kept={data.settings} />}
          </>
        )}
      </div>
    </Card>
  )
}

const DEFAULTS = { message: 'May this site use non-essential services?', accept: 'Accept', decline: 'Decline' }

function Wording({ kept }: { kept: Settings }) {
  const banner = useSignal(kept.consent_banner)
  const message = useSignal(kept.consent_message)
  const accept = useSignal(kept.consent_accept)
  const decline = useSignal(kept.consent_decline)
  const body: Omit<RouteRequest<'POST /project/site-settings/update'>, 'project_id'> = {
    consent_banner: banner.value,
    consent_message: message.value,
    consent_accept: accept.value,
    consent_decline: decline.value,
  }
  const isChanged = Object.entries(body).some(([name, value]) => kept[name as keyof Settings] !== value)
  const save = useAction(() => send('POST /project/site-settings/update', { project_id: projectId(), ...body }), {
    invalidates: [SETTINGS],
    done: () => toast({ text: 'The pages ask in these words.', tone: 'good' }),
  })
  const preview = banner.value ? (
    <Preview message={message.value} accept={accept.value} decline={decline.value} />
  ) : (
    <p class="quiet">
      No banner is shown. The pages ask with a dialog of their own, through <code>window.masthead.consent</code>.
    </p>
  )
  if (!can('administrator')) return preview
  return (
    <form
      class="halves"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(undefined)
      }}
    >
      <div class="stack">
        <FlawSummary error={save.error} />
        <Checkbox
          label="Show the banner"
          hint="Without it the pages ask with a dialog of their own."
          checked={banner.value}
          onChange={(on) => (banner.value = on)}
        />
        {banner.value && (
          <>
            <TextArea
              label="Question"
              rows={2}
              value={message.value}
              placeholder={DEFAULTS.message}
              onInput={(value) => (message.value = value)}
              flaw={save.error?.flawOf('/consent_message')}
            />
            <TextField
              label="Yes"
              value={accept.value}
              placeholder={DEFAULTS.accept}
              onInput={(value) => (accept.value = value)}
              flaw={save.error?.flawOf('/consent_accept')}
            />
            <TextField
              label="No"
              value={decline.value}
              placeholder={DEFAULTS.decline}
              onInput={(value) => (decline.value = value)}
              flaw={save.error?.flawOf('/consent_decline')}
            />
          </>
        )}
        <div class="row">
          <Button kind="primary" type="submit" busy={save.busy} disabled={!isChanged}>
            Save
          </Button>
        </div>
      </div>
      {preview}
    </form>
  )
}

/** As the banner stands at the lower edge of the pages. */
function Preview({ message, accept, decline }: { message: string; accept: string; decline: string }) {
  return (
    <figure class="banner-preview">
      <figcaption class="small quiet">At the lower edge of each page</figcaption>
      <div class="banner-page">
        <div class="banner">
          <span>{message || DEFAULTS.message}</span>
          <span class="banner-button">{accept || DEFAULTS.accept}</span>
          <span class="banner-button">{decline || DEFAULTS.decline}</span>
        </div>
      </div>
    </figure>
  )
}
