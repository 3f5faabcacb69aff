import { useAction } from '../api/action.ts'
import { type RouteResponse, send } from '../api/calls.ts'
import { ownPicture } from '../api/own-picture.ts'
import { request } from '../api/request.ts'
import { type Stored, useDraft } from '../code/draft.ts'
import type { PageProps } from '../page-props.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorNote, FlawSummary } from '../ui/error-note.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { FormActions } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'
import { type App, APPS, useListing } from '../app-review/app-data.ts'
import { AppFrame } from './app-frame.tsx'

type Words = RouteResponse<'GET /user/developer/apps/:id/listing'>['listing']

/** What site owners read before they authorize an app. */
export default function Listing({ params }: PageProps) {
  return (
    <AppFrame id={params.id!} tab="listing">
      {(app) => <Loaded app={app} />}
    </AppFrame>
  )
}

function Loaded({ app }: { app: App }) {
  const { data, error, reload } = useListing(app.id)
  if (error) return <ErrorNote title="The listing could not be loaded." error={error} retry={reload} />
  return data ? <Form app={app} listing={data.listing} /> : <Skeleton lines={6} />
}

const stored = (listing: Words): Stored<Words> => ({ value: listing, at: null })

function Form({ app, listing }: { app: App; listing: Words }) {
  const draft = useDraft(`listing ${app.id}`, stored(listing))
  const words = draft.value
  const save = useAction(
    async () => {
      const sent = draft.value
      const answer = await send('PUT /user/developer/apps/:id/listing', sent, { params: { id: app.id } })
      draft.saved(stored(answer.listing), sent)
    },
    {
      invalidates: [`${APPS}/${app.id}/listing`],
      done: () => void toast({ text: 'Saved as a draft. Submit a version to publish it.', tone: 'good' }),
    },
  )
  const field = (name: Exclude<keyof Words, 'screenshots'>) => ({
    value: words[name],
    onInput: (value: string) => draft.change({ [name]: value }),
    flaw: save.error?.flawOf(`/${name}`),
  })
  const upload = useAction(
    async ({ file, use }: { file: File; use: 'icon' | 'screenshot' }) => {
      const form = new FormData()
      form.append('file', file)
      const { image } = await request<{ image: { url: string } }>({
        method: 'POST',
        path: `/user/developer/apps/${app.id}/images?name=${encodeURIComponent(file.name)}`,
        body: form,
        is_repeatable: false,
      })
      return { image, use }
    },
    {
      done: ({ image, use }) =>
        draft.change(
          use === 'icon' ? { icon_url: image.url } : { screenshots: [...draft.value.screenshots, image.url] },
        ),
    },
  )
  return (
    <form
      class="halves"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run(undefined)
      }}
    >
      <div class="stack">
        <FlawSummary title="Nothing was saved." error={save.error ?? upload.error} />
        <TextField label="In one line" {...field('tagline')} />
        <TextArea label="What it does" rows={5} {...field('description')} />
        <PictureInput label="Icon" onChoose={(file) => void upload.run({ file, use: 'icon' })} />
        {words.screenshots.length < MAX_SCREENSHOTS && (
          <PictureInput label="Screenshots" onChoose={(file) => void upload.run({ file, use: 'screenshot' })} />
        )}
        {words.screenshots.length > 0 && (
          <ul class="listing-shots" aria-label="Screenshots">
            {words.screenshots.map((address, index) => (
              <li key={address} class="stack stack-tight">
                <img src={ownPicture(address) ?? undefined} alt={`Screenshot ${index + 1}`} />
                <Button
                  small
                  kind="quiet"
                  onClick={() =>
                    draft.change({ screenshots: draft.value.screenshots.filter((other) => other !== address) })
                  }
                >
                  Remove<span class="visually-hidden"> screenshot {index + 1}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        <TextField label="Privacy policy" type="url" hint="Reviewers look for it." {...field('privacy_url')} />
        <TextField label="Support" type="url" {...field('support_url')} />
        <TextField label="Category" {...field('category')} />
        <FormActions changed={draft.isChanged}>
          <Button kind="primary" type="submit" main busy={save.busy}>
            Save
          </Button>
        </FormActions>
      </div>
      <Card title="As site owners see it">
        <div class="stack">
          <div class="row">
            {words.icon_url !== '' && (
              <img class="listing-icon" src={ownPicture(words.icon_url) ?? undefined} alt="" width={48} height={48} />
            )}
            <div>
              <strong>{app.displayName}</strong>
              <p class={words.tagline ? undefined : 'quiet'}>{words.tagline || 'In one line'}</p>
            </div>
          </div>
          <p class={words.description ? undefined : 'quiet'}>{words.description || 'What it does'}</p>
          {words.screenshots.map((address) => (
            <img key={address} class="listing-shot" src={ownPicture(address) ?? undefined} alt="" />
          ))}
          {words.category !== '' && <p class="quiet">{words.category}</p>}
        </div>
      </Card>
    </form>
  )
}

const MAX_SCREENSHOTS = 10

function PictureInput({ label, onChoose }: { label: string; onChoose(file: File): void }) {
  return (
    <label class="stack stack-tight">
      <span class="field-label">{label}</span>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onChoose(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
