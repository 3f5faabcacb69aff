import { lineWords } from '../api/letter-name.ts'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { read, type ResponseOf } from '../api/calls.ts'
import { ApiError } from '../api/errors.ts'
import type { EmailDocument } from '../api/operations.d.ts'
import { Combobox } from '../ui/combobox.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { classes } from '../ui/classes.ts'
import { useEditor } from './context.ts'
import type { Content } from './editor.ts'
import { PreviewFoot } from './preview-foot.tsx'
import { blockAt, markBlock, showLetter } from './preview-frame.ts'

type Rendered = ResponseOf<'render'>
type Look = 'desktop' | 'phone' | 'dark' | 'text'

const LOOKS: readonly { look: Look; label: string; icon: IconName }[] = [
  { look: 'desktop', label: 'Desktop', icon: 'desktop' },
  { look: 'phone', label: 'Phone', icon: 'phone' },
  { look: 'dark', label: 'Dark', icon: 'moon' },
  { look: 'text', label: 'Text', icon: 'text' },
]
const WIDTHS: Readonly<Record<Exclude<Look, 'text'>, number>> = { desktop: 680, phone: 375, dark: 680 }
const WAIT_MS = 500

interface PreviewProps {
  content: ReadonlySignal<Content>
  /** The campaign whose readiness is shown; null for a template. */
  campaign: number | null
  from: string
}

/** The letter as the service renders it, shortly after each change. */
export function Preview({ content, campaign, from }: PreviewProps) {
  const editor = useEditor()
  const look = useSignal<Look>('desktop')
  const contact = useSignal<{ value: string; label: string } | null>(null)
  const { document, preheader: own } = content.value
  const preheader = own || document.settings.preheader
  const contact_id = contact.value === null ? undefined : Number(contact.value.value)
  const { rendered, error, isStale, retry } = useRendered(content.value, contact_id)
  useEffect(() => {
    if (rendered) editor.samples.value = samplesIn(rendered)
  }, [rendered])
  return (
    <section class="letter-preview" aria-label="Preview">
      <div class="preview-bar">
        <div class="preview-looks" role="group" aria-label="Show the letter">
          {LOOKS.map(({ look: name, label, icon }) => (
            <button
              key={name}
              type="button"
              class="preview-look"
              aria-pressed={look.value === name}
              onClick={() => (look.value = name)}
            >
              <Icon name={icon} />
              {label}
            </button>
          ))}
        </div>
        <div class="preview-as">
          <Combobox
            label="As"
            label_hidden
            placeholder="as Sample person"
            clearable
            value={contact.value?.value ?? null}
            chosen={contact.value}
            load={findContacts}
            onChange={(_, option) => (contact.value = option)}
          />
        </div>
      </div>
      <div
        class="preview-pane"
        tabIndex={0}
        aria-busy={isStale}
        role="region"
        aria-label="The letter as it will be seen"
      >
        {error && <ErrorNote title="The preview could not be drawn." error={error} retry={retry} />}
        {rendered && look.value === 'text' && <pre class="preview-text">{rendered.text}</pre>}
        {rendered && look.value !== 'text' && (
          <>
            <p class="preview-inbox">
              <strong>{from || 'The sender'}</strong>
              <span>
                {rendered.subject || 'What is it about?'}
                {preheader && <small> {lineWords(preheader)}</small>}
              </span>
            </p>
            <Frame html={rendered.html} width={WIDTHS[look.value]} dark={look.value === 'dark'} />
          </>
        )}
      </div>
      <PreviewFoot rendered={rendered} campaign={campaign} />
    </section>
  )
}

function samplesIn({ warnings }: Rendered): ReadonlySet<string> {
  const named = warnings.filter(({ code }) => code === 'sample_text' || code === 'sample_link')
  return new Set(named.flatMap(({ block_id }) => block_id ?? []))
}

async function findContacts(search: string): Promise<{ value: string; label: string }[]> {
  const { items } = await read('contacts/list', { limit: 10, ...(search === '' ? {} : { search }) })
  return items.map(({ id, full_name, email }) => ({ value: String(id), label: `as ${full_name || email}` }))
}

/** Renders again half a second after a change. Only the newest answer is shown. */
function useRendered(content: Content, contact_id: number | undefined) {
  const rendered = useSignal<Rendered | null>(null)
  const error = useSignal<ApiError | null>(null)
  const isStale = useSignal(true)
  const again = useSignal(0)
  useEffect(() => {
    const asked = new AbortController()
    isStale.value = true
    const ask = async () => {
      try {
        rendered.value = await read(
          'render',
          {
            editor_json: content.document as EmailDocument,
            subject: content.subject,
            preheader: content.preheader,
            contact_id,
            mark_blocks: true,
          },
          asked.signal,
        )
        error.value = null
        isStale.value = false
      } catch (thrown) {
        if (asked.signal.aborted) return
        if (!(thrown instanceof ApiError)) throw thrown
        error.value = thrown
      }
    }
    const timer = setTimeout(ask, rendered.peek() === null ? 0 : WAIT_MS)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [content.document, content.subject, content.preheader, contact_id, again.value])
  return { rendered: rendered.value, error: error.value, isStale: isStale.value, retry: () => again.value++ }
}

function Frame({ html, width, dark }: { html: string; width: number; dark: boolean }) {
  const editor = useEditor()
  const frame = useRef<HTMLIFrameElement>(null)
  const holder = useRef<HTMLDivElement>(null)
  const scale = useSignal(1)
  const height = useSignal(600)
  const isLoaded = useSignal(false)
  const revealed = useRef<string | null>(null)
  const selected = editor.selected.value
  useLayoutEffect(() => {
    const fit = () => (scale.value = Math.min(1, holder.current!.clientWidth / width))
    const watch = new ResizeObserver(fit)
    watch.observe(holder.current!)
    fit()
    return () => watch.disconnect()
  }, [width])
  useLayoutEffect(() => {
    if (!isLoaded.value) return
    const element = frame.current!
    showLetter(element, { html, dark })
    const inside = element.contentDocument
    if (!inside) return // the page is left
    const measure = () => (height.value = inside.body.scrollHeight)
    const watch = new ResizeObserver(measure)
    watch.observe(inside.body)
    measure()
    const choose = (event: Event) => {
      const id = blockAt(event.target)
      if (id !== null) editor.select(id, 'block')
    }
    inside.addEventListener('click', choose)
    return () => {
      watch.disconnect()
      inside.removeEventListener('click', choose)
    }
  }, [html, dark, width, isLoaded.value])
  // A block is scrolled into view once, when it is rendered. After that the user scrolls.
  useLayoutEffect(() => {
    const rect = isLoaded.value ? markBlock(frame.current!, selected, dark ? '#6fc3d8' : '#0b5a6e') : null
    const pane = holder.current!.closest('.preview-pane')!
    if (!rect || revealed.current === selected) return
    revealed.current = selected
    const top = holder.current!.offsetTop + rect.top * scale.peek()
    const isSeen = top >= pane.scrollTop && top + rect.height * scale.peek() <= pane.scrollTop + pane.clientHeight
    if (!isSeen) pane.scrollTo({ top: top - pane.clientHeight / 3 })
  }, [selected, html, dark, height.value, isLoaded.value])
  return (
    <div ref={holder} class={classes('preview-holder', dark && 'preview-holder-dark')}>
      <div class="preview-sheet" style={`width:${width * scale.value}px;height:${height.value * scale.value}px`}>
        <iframe
          ref={frame}
          class="preview-frame"
          title="The letter"
          src="/portal/preview-frame"
          sandbox="allow-same-origin"
          style={`width:${width}px;height:${height.value}px;transform:scale(${scale.value})`}
          onLoad={() => (isLoaded.value = true)}
        />
      </div>
    </div>
  )
}
