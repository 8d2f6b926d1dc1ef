/**
 * Modals and menus of the libraries that sites use most, each with a cancel link in it. `?trap=` says which. Every page has hot
 * keys, as pages have them: they leave fields alone.
 */
import Dialog from '@mui/material/Dialog';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import * as headless from '@headlessui/react';
import * as RadixDialog from '@radix-ui/react-dialog';
import * as RadixMenu from '@radix-ui/react-dropdown-menu';
import { createFocusTrap } from 'focus-trap';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Drawer } from 'vaul';

const query = new URLSearchParams(location.search);
const ON_TOP = { position: 'fixed', top: 40, left: 40, background: '#fff' };

const link = (
  <a href="/cancel-page?sub=1" data-retention-flow={query.get('flow')}>
    Cancel subscription
  </a>
);

/** A page with a button that opens a modal. */
function opened(Modal) {
  return function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Settings</button>
        <Modal isOpen={isOpen} onClose={() => setOpen(false)} />
      </>
    );
  };
}

function FocusTrap({ isOpen, onClose }) {
  const modal = useRef(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const trap = createFocusTrap(modal.current, { onDeactivate: onClose });
    trap.activate();
    return () => trap.deactivate();
  }, [isOpen]);
  return (
    <div ref={modal} role="dialog" style={ON_TOP} hidden={!isOpen}>
      <input />
      {link}
    </div>
  );
}

const inRadixDialog = (content) => (
  <RadixDialog.Root>
    <RadixDialog.Trigger>Settings</RadixDialog.Trigger>
    <RadixDialog.Portal>
      <RadixDialog.Overlay style={{ position: 'fixed', inset: 0 }} />
      <RadixDialog.Content aria-describedby={undefined} style={ON_TOP}>
        <RadixDialog.Title>Settings</RadixDialog.Title>
        <input />
        {content}
      </RadixDialog.Content>
    </RadixDialog.Portal>
  </RadixDialog.Root>
);

const radixMenu = (name) => (
  <RadixMenu.Root>
    <RadixMenu.Trigger>{name}</RadixMenu.Trigger>
    <RadixMenu.Portal>
      <RadixMenu.Content>
        <RadixMenu.Item asChild>{link}</RadixMenu.Item>
        <RadixMenu.Item>Month</RadixMenu.Item>
      </RadixMenu.Content>
    </RadixMenu.Portal>
  </RadixMenu.Root>
);

const TRAPS = {
  'focus-trap': opened(FocusTrap),
  'Radix Dialog': () => inRadixDialog(link),
  'Radix Dropdown Menu': () => radixMenu('Settings'),
  'Headless UI Dialog': opened(({ isOpen, onClose }) => (
    <headless.Dialog open={isOpen} onClose={onClose}>
      <headless.DialogPanel style={ON_TOP}>
        <input />
        {link}
      </headless.DialogPanel>
    </headless.Dialog>
  )),
  'Headless UI Menu': () => (
    <headless.Menu>
      <headless.MenuButton>Settings</headless.MenuButton>
      <headless.MenuItems anchor="bottom">
        <headless.MenuItem>{link}</headless.MenuItem>
      </headless.MenuItems>
    </headless.Menu>
  ),
  'MUI Dialog': opened(({ isOpen, onClose }) => (
    <Dialog open={isOpen} onClose={onClose} slotProps={{ paper: { style: ON_TOP } }}>
      <input />
      {link}
    </Dialog>
  )),
  'MUI Menu': function MuiMenu() {
    const [anchor, setAnchor] = useState(null);
    return (
      <>
        <button onClick={(event) => setAnchor(event.currentTarget)}>Settings</button>
        <Menu anchorEl={anchor} open={!!anchor} onClose={() => setAnchor(null)}>
          <MenuItem component="a" {...link.props} />
        </Menu>
      </>
    );
  },
  Vaul: () => (
    <Drawer.Root>
      <Drawer.Trigger>Settings</Drawer.Trigger>
      <Drawer.Portal>
        <Drawer.Overlay style={{ position: 'fixed', inset: 0 }} />
        <Drawer.Content aria-describedby={undefined} style={{ ...ON_TOP, top: 'auto', bottom: 0 }}>
          <Drawer.Title>Settings</Drawer.Title>
          <input />
          {link}
        </Drawer.Content>
      </Drawer.Portal>
    </Drawer.Root>
  ),
};

/** What nothing outside can be pressed in: a trap on the window, before the widget is there. */
function OnTheWindow() {
  return (
    <>
      <button>Settings</button>
      {link}
    </>
  );
}

if (query.get('trap') === 'window') {
  const root = document.querySelector('main');
  for (const type of ['mousedown', 'touchstart', 'click', 'keydown']) {
    const onEvent = (event) => {
      if (root.contains(event.target) || event.target === document.body) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener(type, onEvent, { capture: true, passive: false });
  }
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (target.matches('input, textarea') || !'n/?m'.includes(key)) return;
  event.preventDefault();
  document.title += ` ${key}`;
});

const Page = TRAPS[query.get('trap')] ?? OnTheWindow;
createRoot(document.querySelector('main')).render(<Page />);
