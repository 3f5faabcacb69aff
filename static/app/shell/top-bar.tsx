import { useLocation } from 'preact-iso'
import { data } from '../api/data.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { openPanel } from './panels.ts'
import { pageOf, place } from './place.ts'
import { WorkTray } from './work-tray.tsx'

/** The bar above each page: the current place, search, the calls of the page, running work, and the account. */
export function TopBar({ isMenuOpen, onMenu }: { isMenuOpen: boolean; onMenu(): void }) {
  const title = pageOf(useLocation().path)?.page.title ?? ''
  return (
    <header class="top-bar">
      <span class="top-bar-menu">
        <IconButton icon="menu" label="Open the menu" expanded={isMenuOpen} onClick={onMenu} />
      </span>
      <p class="top-bar-title" aria-hidden="true">
        {title}
      </p>
      <button
        type="button"
        class="top-bar-search"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => (openPanel.value = 'palette')}
      >
        <Icon name="search" />
        <span>Search</span>
        <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <IconButton
        icon="code"
        label="Calls of this page"
        expanded={openPanel.value === 'calls'}
        onClick={() => (openPanel.value = openPanel.value === 'calls' ? null : 'calls')}
      />
      {place().name === 'site' && data.project && <WorkTray />}
      <AccountMenu />
    </header>
  )
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)
