import type { ResponseOf } from '../api/calls.ts'
import { data as document_data } from '../api/data.ts'
import { link } from '../api/link.ts'
import { useRead } from '../api/query.ts'
import { Icon } from '../ui/icon.tsx'
import { count } from '../ui/format.ts'
import { useEditor } from './context.ts'
import { findBlock } from './document.ts'
import type { Content } from './editor.ts'
import { typeName } from './block-names.ts'

type Rendered = ResponseOf<'render'>

/** Gmail cuts a message off after this size. */
const GMAIL_KB = 102
const READINESS_MS = 60_000

/** The size of the letter, warnings, and whether it could be sent. */
export function PreviewFoot({ rendered, campaign }: { rendered: Rendered | null; campaign: number | null }) {
  const kB = rendered === null ? null : Math.ceil(rendered.size_bytes / 1024)
  return (
    <footer class="preview-foot">
      <span class={kB !== null && kB > GMAIL_KB ? 'tone-bad' : undefined}>
        {kB === null ? '…' : `${kB} kB of ${GMAIL_KB} kB`}
      </span>
      {rendered !== null && rendered.warnings.length > 0 && <Warnings warnings={rendered.warnings} />}
      {campaign !== null && <Readiness campaign={campaign} />}
    </footer>
  )
}

function Warnings({ warnings }: { warnings: Rendered['warnings'] }) {
  const editor = useEditor()
  return (
    <details class="preview-notes" name="preview-notes">
      <summary>
        <Icon name="alert" size={14} />
        {count(warnings.length, 'warning', 'warnings')}
      </summary>
      <ul class="preview-list">
        {warnings.map(({ message, block_id }, at) => {
          const found = block_id === undefined ? null : findBlock(editor.content.value.document, block_id)
          return (
            <li key={at}>
              {message}{' '}
              {found && (
                <button type="button" class="link-button" onClick={() => editor.select(found.block.id, 'block')}>
                  Show the {typeName(found.block.type).toLowerCase()}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

function Readiness({ campaign }: { campaign: number }) {
  const editor = useEditor()
  // Counting an audience is expensive, so the checks do not run again with every save.
  const { data, reload } = useRead('campaigns/readiness', { campaign_id: campaign }, { every_ms: READINESS_MS })
  if (!data) return null
  const passed = data.checks.filter(({ ok, skipped }) => ok && !skipped)
  const left_out = data.checks.filter(({ skipped }) => skipped)
  const failed = data.checks.filter(({ ok }) => !ok)
  const isFlawed = failed.some(({ code, severity }) => severity === 'error' && !isTask(code, editor.content.value))
  return (
    <details
      class="preview-notes"
      name="preview-notes"
      onToggle={(event) => {
        if (event.currentTarget.open) reload()
      }}
    >
      <summary data-good={failed.length === 0 || undefined} data-bad={isFlawed || undefined}>
        <Icon name={failed.length === 0 ? 'check' : isFlawed ? 'circle-x' : 'alert'} size={14} />
        {failed.length === 0
          ? count(passed.length, 'check passed', 'checks passed')
          : `${passed.length} of ${passed.length + failed.length} checks${data.ready ? '' : ', not ready yet'}`}
        {left_out.length > 0 && `, ${left_out.length} not made`}
      </summary>
      <ul class="preview-list">
        {[...failed, ...passed, ...left_out].map(({ code, ok, skipped, severity, message }) => (
          <li key={code} class={ok ? 'quiet' : undefined}>
            <Icon
              name={
                skipped
                  ? 'minus'
                  : ok
                    ? 'check'
                    : severity === 'error' && !isTask(code, editor.content.value)
                      ? 'circle-x'
                      : 'alert'
              }
              label={skipped ? 'Not made' : ok ? 'Passed' : severity === 'error' ? 'Not ready' : 'Warning'}
              size={14}
            />{' '}
            {message} {!ok && <Mended check={{ code, message }} campaign={campaign} />}
          </li>
        ))}
      </ul>
    </details>
  )
}

type Check = ResponseOf<'campaigns/readiness'>['checks'][number]

/** Whether a failed check is a step that every new letter has before it. Such a step is no mistake. */
function isTask(code: Check['code'], { document }: Content): boolean {
  if (code === 'content') return document.blocks.every(({ type }) => type === 'footer')
  return ['subject', 'audience', 'sender', 'connection_verified', 'postal_address'].includes(code)
}

/** Where a failed check is mended. */
function Mended({ check, campaign }: { check: Pick<Check, 'code' | 'message'>; campaign: number }) {
  const { code, message } = check
  // The address of the service is not in the letter; the message says who can change it.
  if (message === document_data.base_url_problem) return <a href={link('/sending')}>Look at the sending</a>
  if (['content', 'unsubscribe_link', 'size', 'text_ratio', 'links'].includes(code))
    return <span class="quiet">It is mended here, in the letter.</span>
  if (code === 'subject') {
    const subject = () => document.querySelector<HTMLElement>('[data-field=subject] [role=textbox]')?.focus()
    return (
      <button type="button" class="link-button" onClick={subject}>
        Write a subject
      </button>
    )
  }
  const field = code === 'audience' ? { field: 'audience' } : {}
  return (
    <a href={link(`/campaigns/${campaign}/review`, field)}>
      {code === 'audience' ? 'Choose people' : 'Mend it in the review'}
    </a>
  )
}
