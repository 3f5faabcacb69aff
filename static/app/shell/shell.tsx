import { useSignal } from '@preact/signals'
import { LocationProvider, useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { ToastRegion } from '../ui/toast.tsx'
import { Banners } from './banners.tsx'
import { useKeys } from './keys.tsx'
import { Outlet } from './outlet.tsx'
import { OverPageLater } from './over-page-later.tsx'
import { closePanel } from './panels.ts'
import { scopePattern } from './place.ts'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame of every page: side bar, top bar, the page itself, and what can be opened over it. */
export function Shell() {
  return (
    <LocationProvider scope={scopePattern()}>
      <Frame />
    </LocationProvider>
  )
}

function Frame() {
  const { path } = useLocation()
  const isMenuOpen = useSignal(false)
  useKeys()
  useEffect(() => {
    isMenuOpen.value = false
    closePanel()
  }, [path])
  return (
    <>
      <a class="skip-link" href="#page">
        Skip to the page
      </a>
      <div class="shell" data-menu={isMenuOpen.value ? 'open' : 'closed'}>
        <SideBar isOpen={isMenuOpen.value} onClose={() => (isMenuOpen.value = false)} />
        <div class="shell-body">
          <TopBar isMenuOpen={isMenuOpen.value} onMenu={() => (isMenuOpen.value = true)} />
          <Banners />
          <main id="page" class="shell-page" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <OverPageLater load={loadOverPage} />
      <ToastRegion />
    </>
  )
}

const loadOverPage = () => import('./over-page.tsx').then(({ OverPage }) => OverPage)
