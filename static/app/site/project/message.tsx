import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { callKey } from '../../../../src/shared/app-document.ts'
import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import { showLetter } from '../../letter/preview-frame.ts'
import type { PageProps } from '../../page-props.ts'
import { link } from '../../api/link.ts'
import { IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/callout.tsx'
import { Facts } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { bytes, dateTime } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'

type Message = RouteResponse<'POST /project/mailbox/get'>['message']
type View = 'message' | 'text' | 'headers' | 'source'

/** A message of the sandbox mailbox, as it would have been sent. */
export default function MessagePage({ params, query }: PageProps) {
  const body = { project_id: projectId(), message_id: Number(params.id) }
  const { data, error, reload } = useQuery(callKey('/project/mailbox/get', body), () =>
    send('POST /project/mailbox/get', body),
  )
  const message = data?.message
  return (
    <>
      <PageHead title={message?.subject || 'Message'} back={{ href: link('/mailbox'), label: 'Mailbox' }} />
      {error && <ErrorNote title="The message could not be loaded." error={error} retry={reload} />}
      {!message && !error && <Skeleton lines={8} />}
      {message && (
        <div class="stack">
          <Facts
            facts={[
              { label: 'To', value: message.to },
              { label: 'From', value: message.from },
              { label: 'Kept', value: dateTime(message.received_on) },
            ]}
          />
          <Views message={message} view={viewOf(query.view, message)} />
        </div>
      )}
    </>
  )
}

function viewOf(asked: string | undefined, { html }: Message): View {
  if (asked === 'text' || asked === 'headers' || asked === 'source') return asked
  return html === null ? 'text' : 'message'
}

function Views({ message, view }: { message: Message; view: View }) {
  const { route } = useLocation()
  const tabs: { id: View; label: string }[] = [
    ...(message.html === null ? [] : [{ id: 'message' as const, label: 'Message' }]),
    { id: 'text', label: 'Text part' },
    { id: 'headers', label: 'Headers' },
    { id: 'source', label: 'Source' },
  ]
  return (
    <Tabs
      label="Parts of the message"
      tabs={tabs}
      value={view}
      onChange={(id) => route(link(`/mailbox/${message.id}`, { view: id === 'message' ? null : id }), true)}
    >
      {view === 'message' && <Picture html={message.html!} />}
      {view === 'text' &&
        (message.text === null ? (
          <p class="quiet">This message has no text part.</p>
        ) : (
          <Code label="Text part" text={message.text} wrap />
        ))}
      {view === 'headers' && (
        <Facts
          facts={Object.entries(message.headers).flatMap(([name, values]) =>
            [values].flat().map((value) => ({ label: <code>{name}</code>, value: <code>{value}</code> })),
          )}
        />
      )}
      {view === 'source' && (
        <Code label={`Source, ${bytes(new TextEncoder().encode(message.raw).length)}`} text={message.raw} wrap />
      )}
    </Tabs>
  )
}

const WIDTHS = { desk: 680, phone: 375 }

interface Way {
  href: string
  words: string
}

/** The targets of a message's links. The frame has removed their addresses (`showLetter`). */
function waysOf(inside: Document): Way[] {
  const ways = new Map<string, Way>()
  for (const anchor of inside.querySelectorAll<HTMLElement>('a[title]')) {
    const href = anchor.title
    if (/^https?:/.test(href) && !ways.has(href)) ways.set(href, { href, words: anchor.innerText.trim() || href })
  }
  return [...ways.values()]
}

/** The message at its full height, in a frame where nothing runs, and its links, which open from here. */
function Picture({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const sized = useRef<ResizeObserver | null>(null)
  const width = useSignal<keyof typeof WIDTHS>('desk')
  const ways = useSignal<readonly Way[]>([])
  useEffect(() => () => sized.current?.disconnect(), [])
  const show = () => {
    const element = frame.current!
    showLetter(element, { html, dark: false })
    const { body, documentElement } = element.contentDocument!
    ways.value = waysOf(element.contentDocument!)
    sized.current = new ResizeObserver(() => (element.style.blockSize = `${documentElement.offsetHeight}px`))
    sized.current.observe(body)
  }
  return (
    <div class="stack">
      <div class="row" role="group" aria-label="Width">
        <IconButton
          icon="desktop"
          label="Desk"
          pressed={width.value === 'desk'}
          onClick={() => (width.value = 'desk')}
        />
        <IconButton
          icon="phone"
          label="Phone"
          pressed={width.value === 'phone'}
          onClick={() => (width.value = 'phone')}
        />
      </div>
      {ways.value.length > 0 && (
        <p class="row">
          <span class="quiet">Links of the message:</span>
          {ways.value.map(({ href, words }) => (
            <a key={href} href={href} target="_blank" rel="noopener noreferrer">
              {words}
            </a>
          ))}
        </p>
      )}
      <div class="message-pane">
        <iframe
          ref={frame}
          src="/portal/preview-frame"
          sandbox="allow-same-origin"
          title="The message"
          style={`inline-size: ${WIDTHS[width.value]}px`}
          onLoad={show}
        />
      </div>
    </div>
  )
}
