import { SCOPES } from '../../../src/shared/scopes.ts'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { type App, APPS } from '../app-review/app-data.ts'
import { type Stored, useDraft } from '../code/draft.ts'
import type { PageProps } from '../page-props.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, Switch } from '../ui/choice.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { FormActions } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'
import { withScheme } from '../ui/web-address.ts'
import { AppFrame } from './app-frame.tsx'

/** The scopes that an app asks for, with reasons, and its redirect addresses. */
export default function Permissions({ params }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="permissions">
      {(app) => <Form app={app} />}
    </AppFrame>
  )
}

interface Words {
  name: string
  description: string
  homepage: string
  /** One address per line. */
  redirects: string
  scopes: readonly string[]
  reasons: Record<string, string>
  require_pkce: boolean
  require_par: boolean
}

function stored({ draft, scope_reasons, require_pkce, require_par, last_update }: App): Stored<Words> {
  const { displayName, description, homepage, redirect_uris, scopes } = draft
  const redirects = redirect_uris.join('\n')
  const value = { name: displayName, description, homepage, redirects, scopes, reasons: scope_reasons }
  return { value: { ...value, require_pkce, require_par }, at: last_update }
}

function Form({ app }: { app: App }) {
  const draft = useDraft(`permissions ${app.id}`, stored(app))
  const { name, description, homepage, redirects, scopes, reasons, require_pkce, require_par } = draft.value
  const save = useAction(
    async () => {
      const sent = draft.value
      const answer = await sendOnce(
        'PATCH /user/developer/apps/:id',
        {
          displayName: sent.name,
          description: sent.description,
          homepage: sent.homepage,
          redirect_uris: sent.redirects.split('\n').map(withScheme).filter(Boolean),
          scopes: [...sent.scopes],
          scope_reasons: Object.fromEntries(
            sent.scopes.flatMap((scope) => (sent.reasons[scope]?.trim() ? [[scope, sent.reasons[scope]]] : [])),
          ),
          require_pkce: sent.require_pkce,
          require_par: sent.require_par,
        },
        { params: { id: app.id } },
      )
      draft.saved(stored(answer.app), sent)
    },
    { invalidates: [APPS], done: () => void toast({ text: 'Saved.', tone: 'good' }) },
  )
  const flawIn = (path: string) => save.error?.flawIn(path)
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(undefined)
      }}
    >
      {app.approved && (
        <Callout title="This app is approved.">
          <p>Sites keep what was approved. What you change here is a draft until a new version is approved.</p>
        </Callout>
      )}
      <FlawSummary title="Nothing was saved." error={save.error} />
      <Card title="What it is">
        <div class="stack">
          <TextField
            label="Name"
            value={name}
            onInput={(name) => draft.change({ name })}
            required
            flaw={flawIn('/displayName')}
          />
          <TextArea
            label="Description"
            flaw={flawIn('/description')}
            rows={2}
            value={description}
            onInput={(description) => draft.change({ description })}
          />
          <TextField
            label="Homepage"
            flaw={flawIn('/homepage')}
            type="url"
            hint="Site owners go there from the gallery to connect the app."
            value={homepage}
            onInput={(homepage) => draft.change({ homepage })}
          />
        </div>
      </Card>
      <Card title="Where people are sent back">
        <div class="stack">
          <TextArea
            label="Redirect addresses"
            flaw={flawIn('/redirect_uris')}
            hint="One a line. An authorization names one of them exactly."
            rows={3}
            value={redirects}
            onInput={(redirects) => draft.change({ redirects })}
          />
          <Switch
            label="Require PKCE"
            hint="Each authorization proves that it began here."
            checked={require_pkce}
            onChange={(on) => draft.change({ require_pkce: on })}
          />
          <Switch
            label="Require pushed requests"
            hint="What is asked for goes to the service first, not through the browser."
            checked={require_par}
            onChange={(on) => draft.change({ require_par: on })}
          />
        </div>
      </Card>
      <Card title="What it may do">
        <div class="stack">
          {Object.entries(SCOPES).map(([scope, { label }]) => (
            <div key={scope} class="stack stack-tight">
              <Checkbox
                label={label}
                hint={<code>{scope}</code>}
                checked={scopes.includes(scope)}
                onChange={(on) => {
                  const others = draft.value.scopes.filter((other) => other !== scope)
                  draft.change({ scopes: on ? [...others, scope] : others })
                }}
              />
              {scopes.includes(scope) && (
                <div class="scope-reason">
                  <TextField
                    label={`Why it needs ${scope}`}
                    flaw={flawIn(`/scope_reasons/${scope}`)}
                    hint="Site owners read it before they let the app in."
                    value={reasons[scope] ?? ''}
                    onInput={(reason) => draft.change({ reasons: { ...draft.value.reasons, [scope]: reason } })}
                  />
                </div>
              )}
            </div>
          ))}
        </div>
      </Card>
      <FormActions changed={draft.isChanged}>
        <Button kind="primary" type="submit" main busy={save.busy}>
          Save
        </Button>
      </FormActions>
    </form>
  )
}
