import { useSignal, useSignalEffect } from '@preact/signals'
import { brandColor } from '../../../src/shared/contrast.ts'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useMemo, useRef, useLayoutEffect } from 'preact/hooks'
import type { ResponseOf } from '../api/calls.ts'
import { useRead } from '../api/query.ts'
import { useEvery } from '../rules/every.ts'
import { Tabs } from '../ui/tabs.tsx'
import { EditorContext } from './context.ts'
import { findBlock } from './document.ts'
import { createEditor, type Content, type Editor } from './editor.ts'
import { LetterBanners, LetterHead } from './head.tsx'
import { later, useLater } from './later.ts'
import { LineField } from './line-field.tsx'
import { SUGGEST } from './live-text.tsx'
import { pageKey } from './page-key.ts'
import { openSession, type Session } from './session.ts'
import type { Source, Stored } from './source.ts'
import { Surface } from './surface.tsx'
import { bareTagWords, tagsOf } from './tag-choices.ts'
import type { BlockType } from './block-types.ts'
import { stepKey, type TypingRun } from './typing.ts'

interface LetterPageProps {
  source: Source
  stored: Stored
  back: { href: string; label: string }
  /** A note beside the name, such as the scheduled time. */
  badge?: ComponentChildren
  /** The sender's name, where the letter has its own. */
  from?: string
  /** Where the page redirects when the letter can no longer be changed. */
  closed: string
  schema: ResponseOf<'schema/get'>
  actions(session: Session, editor: Editor): ComponentChildren
}

/** The editor of one letter, beside its preview. */
export default function LetterPage(props: LetterPageProps) {
  const { source, stored, back, schema, closed } = props
  const { route, query } = useLocation()
  const { data: settings } = useRead('settings/get', {})
  const { data: fields } = useEvery('custom-fields/list', {})
  const tags = useMemo(() => tagsOf(schema, fields ?? []), [schema, fields])
  const view = useSignal<'write' | 'preview'>('write')
  const made = useRef<{ editor: Editor; session: Session } | null>(null)
  if (made.current === null) {
    const types = schema.block_types as unknown as BlockType[]
    const editor = createEditor({ content: stored.content, types, tags })
    made.current = { editor, session: openSession(editor, source, stored) }
    const { block } = query
    if (block !== undefined && findBlock(editor.content.peek().document, block)) editor.select(block)
  }
  const { editor, session } = made.current
  // Before the first paint: who leaves at once must end the session, too.
  useLayoutEffect(() => session.stop, [])
  useEffect(() => {
    // An element that goes leaves the focus on the body, outside of the editor.
    const press = (event: KeyboardEvent) => {
      if (event.target === document.body && editor.panel.peek() === null) pageKey(event, editor, session)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    editor.tags.value = tags
  }, [tags])
  useEffect(() => session.refresh(stored), [stored.updated_at])
  useSignalEffect(() => {
    const query = new URLSearchParams(location.search)
    if (editor.selected.value === null) query.delete('block')
    else query.set('block', editor.selected.value)
    history.replaceState(history.state, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}`)
  })
  const trouble = session.trouble.value
  useEffect(() => {
    if (trouble?.kind === 'closed') route(closed, true)
  }, [trouble])
  const inspector = useLater(INSPECTOR)
  const preview = useLater(PREVIEW)
  const toolbar = useLater(TOOLBAR)
  const suggest = useLater(SUGGEST)
  const chosen = settings?.settings.brand_color || null
  useEffect(() => {
    editor.brand.value = brandColor(chosen)
  }, [chosen])
  return (
    <EditorContext.Provider value={editor}>
      <div
        class="full-page letter"
        data-view={view.value}
        onKeyDown={(event) => pageKey(event, editor, session)}
        onKeyDownCapture={(event) => {
          // Handled while capturing, because a text stops the propagation of Enter.
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          view.value = view.value === 'write' ? 'preview' : 'write'
        }}
      >
        <LetterHead session={session} back={back} badge={props.badge} actions={props.actions(session, editor)} />
        <LetterBanners session={session} compare={() => (editor.panel.value = { kind: 'conflict' })} />
        <div class="letter-views">
          <Tabs
            label="Write or preview"
            value={view.value}
            onChange={(chosen: 'write' | 'preview') => (view.value = chosen)}
            tabs={[
              { id: 'write', label: 'Write' },
              { id: 'preview', label: 'Preview' },
            ]}
          />
        </div>
        <div class="letter-panes">
          <section class="letter-write" aria-label="Write">
            <div class="letter-scroll" onClick={() => editor.select(null)}>
              <Words content={editor.content.value} editor={editor} />
              <Surface />
            </div>
            {inspector && <inspector.Inspector brandColor={chosen} />}
          </section>
          {preview && (
            <preview.Preview
              content={session.complete}
              campaign={source.kind === 'campaign' ? source.id : null}
              from={props.from || settings?.settings.from_name || ''}
            />
          )}
        </div>
        {suggest && <suggest.SuggestList />}
        {toolbar && <toolbar.SelectionToolbar />}
        <Dialogs editor={editor} source={source} session={session} />
        <p class="visually-hidden" aria-live="polite">
          {editor.said.value}
        </p>
      </div>
    </EditorContext.Provider>
  )
}

const PREVIEW = later(() => import('./preview.tsx'))
const INSPECTOR = later(() => import('./inspector.tsx'))
const TOOLBAR = later(() => import('./toolbar.tsx'))
const DIALOGS = later(() => import('./dialogs.tsx'))
// The preview's code loads at once, because it needs nothing of the letter.
PREVIEW.load()

function Dialogs({ editor, source, session }: { editor: Editor; source: Source; session: Session }) {
  const code = useLater(DIALOGS)
  const open = editor.panel.value
  return code && open && <code.EditorDialogs key={open.kind} open={open} source={source} session={session} />
}

/** The subject and the preview text. */
function Words({ content, editor }: { content: Content; editor: Editor }) {
  const set = (name: 'subject' | 'preheader') => (value: string, run: TypingRun) =>
    editor.edit((before) => ({ ...before, [name]: value }), stepKey(name, run))
  return (
    <div class="letter-words" onClick={(event) => event.stopPropagation()}>
      <LineField
        name="subject"
        label="Subject"
        value={content.subject}
        placeholder="What is it about?"
        onInput={set('subject')}
        note={bareTagWords(content.subject)}
      />
      <LineField
        name="preheader"
        label="Preview text"
        value={content.preheader}
        placeholder={content.document.settings.preheader || 'What the inbox shows behind the subject'}
        onInput={set('preheader')}
      />
    </div>
  )
}
