import { useState } from 'preact/hooks'
import { SCOPES } from '../../../src/oauth/scopes.ts'
import { useAction } from '../api/action.ts'
import { send } from '../api/calls.ts'
import type { PageProps } from '../page-props.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, Switch } from '../ui/choice.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { FormActions } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'
import { type App, AppFrame, APPS } from './app-frame.tsx'

/** What an app may ask for, why, and where people are sent back. */
export default function Permissions({ params }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="permissions">
      {(app) => <Form key={app.last_update} app={app} />}
    </AppFrame>
  )
}

function Form({ app }: { app: App }) {
  const [name, setName] = useState(app.draft.displayName)
  const [description, setDescription] = useState(app.draft.description)
  const [homepage, setHomepage] = useState(app.draft.homepage)
  const [redirects, setRedirects] = useState(app.draft.redirect_uris.join('\n'))
  const [scopes, setScopes] = useState<readonly string[]>(app.draft.scopes)
  const [reasons, setReasons] = useState<Record<string, string>>(app.scope_reasons)
  const [require_pkce, setPkce] = useState(app.require_pkce)
  const [require_par, setPar] = useState(app.require_par)
  const save = useAction(
    () =>
      send(
        'PATCH /user/developer/apps/:id',
        {
          displayName: name,
          description,
          homepage,
          redirect_uris: redirects
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
          scopes: [...scopes],
          scope_reasons: Object.fromEntries(
            scopes.flatMap((scope) => (reasons[scope]?.trim() ? [[scope, reasons[scope]]] : [])),
          ),
          require_pkce,
          require_par,
        },
        { params: { id: app.id } },
      ),
    { invalidates: [APPS], done: () => void toast({ text: 'Saved.', tone: 'good' }) },
  )
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
          <TextField label="Name" value={name} onInput={setName} required />
          <TextArea label="Description" rows={2} value={description} onInput={setDescription} />
          <TextField
            label="Homepage"
            type="url"
            hint="Site owners go there from the gallery to connect the app."
            value={homepage}
            onInput={setHomepage}
          />
        </div>
      </Card>
      <Card title="Where people are sent back">
        <div class="stack">
          <TextArea
            label="Redirect addresses"
            hint="One a line. An authorization names one of them exactly."
            rows={3}
            value={redirects}
            onInput={setRedirects}
          />
          <Switch
            label="Require PKCE"
            hint="Each authorization proves that it began here."
            checked={require_pkce}
            onChange={setPkce}
          />
          <Switch
            label="Require pushed requests"
            hint="What is asked for goes to the service first, not through the browser."
            checked={require_par}
            onChange={setPar}
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
                onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
              />
              {scopes.includes(scope) && (
                <div class="scope-reason">
                  <TextField
                    label={`Why it needs ${scope}`}
                    hint="Site owners read it before they let the app in."
                    value={reasons[scope] ?? ''}
                    onInput={(reason) => setReasons({ ...reasons, [scope]: reason })}
                  />
                </div>
              )}
            </div>
          ))}
        </div>
      </Card>
      <FormActions>
        <Button kind="primary" type="submit" main busy={save.busy}>
          Save
        </Button>
      </FormActions>
    </form>
  )
}
