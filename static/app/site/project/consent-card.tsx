import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { callKey } from '../../../../src/shared/app-document.ts'
import { useQuery } from '../../api/query.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Switch } from '../../ui/choice.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useLater } from '../../ui/use-later.ts'
import { useLast } from '../people/page-state.ts'
import { SiteFrame } from '../site/site-frame.tsx'
import { APPS } from './apps-data.ts'

type Settings = RouteResponse<'POST /project/site-settings/get'>['settings']
const SETTINGS = '/project/site-settings/get'

/** Whether visitors are asked before scripts run, and the texts of the banner. */
export function ConsentCard({ consent_required }: { consent_required: boolean }) {
  const { data, error, reload } = useQuery(SETTINGS, () =>
    send('POST /project/site-settings/get', { project_id: projectId() }),
  )
  const ask = useAction(
    (on: boolean) => sendOnce('POST /project/scripts/settings', { project_id: projectId(), consent_required: on }),
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
            {data && <Wording kept={data.settings} usual={data.usual_texts} />}
          </>
        )}
      </div>
    </Card>
  )
}

type Words = Settings['consent_words']
/** The default of each text that is empty. */
type Usual = RouteResponse<'POST /project/site-settings/get'>['usual_texts']
type Banner = Omit<Settings, 'proof_of_work'>

/** The texts that can be edited. */
const TEXTS: readonly { name: keyof Words; label: string }[] = [
  { name: 'privacy', label: 'Text of its link' },
  { name: 'choose', label: 'Shows the kinds' },
  { name: 'save', label: 'Saves the kinds' },
  { name: 'reopen', label: 'The button that stays' },
  { name: 'functional', label: 'Name of Functional' },
  { name: 'functional_purpose', label: 'What Functional is for' },
  { name: 'analytics', label: 'Name of Analytics' },
  { name: 'analytics_purpose', label: 'What Analytics is for' },
  { name: 'advertising', label: 'Name of Advertising' },
  { name: 'advertising_purpose', label: 'What Advertising is for' },
]

/** The marked fields say what is wrong with each. */
const REFUSED = { message: 'Nothing is saved yet. Look at the marked fields.' }

function Wording({ kept, usual }: { kept: Settings; usual: Usual }) {
  const { consent_banner, consent_message, consent_accept, consent_decline, consent_privacy_url, consent_words } = kept
  const question = { consent_banner, consent_message, consent_accept, consent_decline }
  const before: Banner = { ...question, consent_privacy_url, consent_words }
  const [body, setBody] = useState<Banner>(before)
  const change = (part: Partial<Banner>) => setBody({ ...body, ...part })
  const isChanged = JSON.stringify(body) !== JSON.stringify(before)
  const save = useAction(() => sendOnce('POST /project/site-settings/update', { project_id: projectId(), ...body }), {
    invalidates: [SETTINGS],
    done: () => toast({ text: 'The pages ask in these words.', tone: 'good' }),
  })
  const further = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // Opened by hand, it stays open while the texts are saved again.
    if (TEXTS.some(({ name }) => save.error?.flawOf(`/consent_words/${name}`)))
      further.current?.setAttribute('open', '')
  }, [save.error])
  const preview = body.consent_banner ? (
    <Preview body={body} />
  ) : (
    <p class="quiet">
      No banner is shown. The pages ask with a dialog of their own, through <code>window.masthead.consent</code>.
    </p>
  )
  if (!can('administrator')) return preview
  const flawOf = (name: keyof Banner) => save.error?.flawOf(`/${name}`)
  return (
    <form
      class="halves"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(undefined)
      }}
    >
      <div class="stack">
        <FlawSummary error={body.consent_banner && save.error?.flaws.length ? REFUSED : save.error} />
        <Checkbox
          label="Show the banner"
          hint="Without it the pages ask with a dialog of their own."
          checked={body.consent_banner}
          onChange={(on) => change({ consent_banner: on })}
        />
        {body.consent_banner && (
          <>
            <TextArea
              label="Question"
              rows={2}
              value={body.consent_message}
              placeholder={usual.question}
              onInput={(text) => change({ consent_message: text })}
              flaw={flawOf('consent_message')}
            />
            <TextField
              label="Yes"
              value={body.consent_accept}
              placeholder={usual.accept}
              onInput={(text) => change({ consent_accept: text })}
              flaw={flawOf('consent_accept')}
            />
            <TextField
              label="No"
              value={body.consent_decline}
              placeholder={usual.decline}
              onInput={(text) => change({ consent_decline: text })}
              flaw={flawOf('consent_decline')}
            />
            <TextField
              label="Privacy address"
              optional
              hint="Where you say what you do with data: a path of the site such as /privacy, or a whole address."
              dir="ltr"
              spellcheck={false}
              value={body.consent_privacy_url}
              onInput={(text) => change({ consent_privacy_url: text })}
              flaw={flawOf('consent_privacy_url') && 'Write a path that begins with a slash, or an https address.'}
            />
            <details ref={further} class="consent-further">
              <summary>Kinds, purposes and further texts</summary>
              <div class="stack">
                {TEXTS.map(({ name, label }) => (
                  <TextField
                    key={name}
                    label={label}
                    maxlength={200}
                    placeholder={usual[name]}
                    value={body.consent_words[name] ?? ''}
                    onInput={(text) => change({ consent_words: { ...body.consent_words, [name]: text } })}
                    flaw={save.error?.flawOf(`/consent_words/${name}`)}
                  />
                ))}
              </div>
            </details>
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

const QUIET_MS = 400

/** The banner as the service renders it, and the button that reopens it. */
function Preview({ body }: { body: Banner }) {
  const tried = useLater(body, QUIET_MS)
  const { data, error } = useQuery(callKey('/project/site-settings/preview', tried), () =>
    send('POST /project/site-settings/preview', { project_id: projectId(), ...tried }),
  )
  const shown = useLast(data)?.html ?? ''
  return (
    <figure class="banner-preview">
      <figcaption class="small quiet">
        At the lower edge of each page, with the kinds of your scripts opened. Below it the button that lets visitors
        change their mind, in the corner once they have chosen. Google’s tags are told by Consent Mode.
      </figcaption>
      {error?.flaws.length ? (
        <p class="small">What is written cannot be used yet. The banner is drawn again once it can.</p>
      ) : (
        error && <ErrorNote title="The preview could not be drawn." error={error} />
      )}
      <SiteFrame html={shown} label="The banner" />
    </figure>
  )
}
