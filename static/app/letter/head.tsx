import { letterName } from '../api/letter-name.ts'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { data } from '../api/data.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { clock, relative } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useEditor } from './context.ts'
import { showDesign } from './design-open.ts'
import { savingWords, type Session } from './session.ts'
import type { Stored } from './source.ts'

interface HeadProps {
  session: Session
  back: { href: string; label: string }
  badge?: ComponentChildren
  /** Buttons of the page. */
  actions: ComponentChildren
}

/** The head of the editor: name, save state and actions. */
export function LetterHead({ session, back, badge, actions }: HeadProps) {
  const editor = useEditor()
  const { words, tone } = savingWords(session, (at) => clock(new Date(at).toISOString()))
  return (
    <header class="letter-head">
      <a class="letter-back" href={back.href}>
        <Icon name="chevron-left" />
        <span>{back.label}</span>
      </a>
      <Name />
      {badge}
      <p class="letter-saved" role="status" data-tone={tone}>
        {words}
      </p>
      <span class="letter-tools" onMouseDown={(event) => event.preventDefault()}>
        <IconButton icon="undo" label="Undo" disabled={!editor.canUndo.value} onClick={editor.undo} />
        <IconButton icon="redo" label="Redo" disabled={!editor.canRedo.value} onClick={editor.redo} />
        <Menu
          label="More"
          icon="more"
          items={[
            { label: 'Design of the letter', icon: 'palette', onSelect: () => showDesign(editor) },
            {
              label: 'Save as template',
              icon: 'layers',
              onSelect: () => (editor.panel.value = { kind: 'template' }),
            },
            {
              label: 'See earlier versions',
              icon: 'history',
              onSelect: () => (editor.panel.value = { kind: 'versions' }),
            },
            { label: 'Keys of the editor', icon: 'help', onSelect: () => (editor.panel.value = { kind: 'keys' }) },
          ]}
        />
      </span>
      <span class="letter-actions">{actions}</span>
    </header>
  )
}

/** The internal name, which only the sender sees. */
function Name() {
  const editor = useEditor()
  const isEdited = useSignal(false)
  const typed = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const { name, subject } = editor.content.value
  const end = (takes: boolean) => {
    isEdited.value = false
    const next = typed.peek().trim()
    if (takes && next !== '') editor.edit((content) => (next === content.name ? content : { ...content, name: next }))
  }
  return (
    <div class="letter-name">
      <h1 data-page-title tabIndex={-1} class={isEdited.value ? 'visually-hidden' : undefined}>
        {letterName({ name, subject })}
      </h1>
      {isEdited.value ? (
        <input
          ref={field}
          class="input"
          aria-label="Name"
          maxlength={200}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onBlur={() => end(true)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') end(true)
            if (event.key === 'Escape') end(false)
          }}
        />
      ) : (
        <IconButton
          small
          icon="pencil"
          label="Change the name"
          onClick={() => {
            typed.value = name
            isEdited.value = true
            requestAnimationFrame(() => field.current?.select())
          }}
        />
      )}
    </div>
  )
}

/** Warnings above the letter: other editors, recovered text, a refused save. */
export function LetterBanners({ session, compare }: { session: Session; compare(): void }) {
  const trouble = session.trouble.value
  const recovered = session.recovered.value
  return (
    <div class="letter-banners">
      {trouble?.kind === 'conflict' && (
        <div class="letter-banner" data-tone="wait" role="alert">
          <Saved theirs={trouble.theirs} />
          <Button small onClick={compare}>
            See what changed
          </Button>
          <KeepBoth session={session} theirs={trouble.theirs} />
          <Button small onClick={() => session.keepMine(trouble.theirs)}>
            Keep mine
          </Button>
          <Button small onClick={() => session.takeTheirs(trouble.theirs)}>
            Take theirs
          </Button>
        </div>
      )}
      {trouble?.kind === 'refused' && (
        <div class="letter-banner" data-tone="bad" role="alert">
          <p>
            Not saved: {trouble.error.message}
            {trouble.error.flaws[0] && ` ${trouble.error.flaws[0].message}`} What you wrote is kept in this browser.
          </p>
          <Button small onClick={() => void session.save()}>
            Try again
          </Button>
        </div>
      )}
      {recovered !== null && trouble === null && (
        <div class="letter-banner" role="status">
          <p>What you wrote at {clock(new Date(recovered).toISOString())} was not saved then. It is back.</p>
          <Button small onClick={() => (session.recovered.value = null)}>
            Keep it
          </Button>
          <Button small onClick={session.dropRecovered}>
            Drop it
          </Button>
        </div>
      )}
    </div>
  )
}

/** Offered where different parts of the letter changed. */
function KeepBoth({ session, theirs }: { session: Session; theirs: Stored }) {
  void useEditor().content.value
  const merged = session.both(theirs)
  return (
    merged && (
      <Button small kind="primary" onClick={() => session.keepBoth(theirs, merged)}>
        Keep both
      </Button>
    )
  )
}

function Saved({ theirs }: { theirs: Stored }) {
  const comma = theirs.updated_by?.id === data.user.id ? ',' : ''
  return (
    <p>
      {authorOf(theirs)}
      {comma} saved this {relative(theirs.updated_at, Date.now())}.
    </p>
  )
}

/** "Bo Holm", "You, in another window". */
export function authorOf({ updated_by }: Stored): string {
  return updated_by?.id === data.user.id ? 'You, in another window' : (updated_by?.name ?? 'Somebody else')
}
