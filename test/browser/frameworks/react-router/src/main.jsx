import { StrictMode, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes } from 'react-router';
import { CancelLink } from './cancel-link';
import { CancelLink as OwnLink } from './own-link';

function Element() {
  const flow = useRef(null);
  return (
    <main>
      <h1>Element</h1>
      <button onClick={() => flow.current.show()}>Leave</button>
      <retention-flow
        ref={flow}
        flow="leaving-acme-pro-7mzo5t5v"
        customer={{ id: 'cus_object' }}
        messages={{ keep: 'Stay with Acme' }}
      />
    </main>
  );
}

function Account() {
  return (
    <main>
      <h1>Account</h1>
      <p>
        <CancelLink token="CUSTOMER_TOKEN" />
      </p>
      <Link id="routed" to="/account/cancel" data-retention-flow="leaving-acme-pro-7mzo5t5v">
        Cancel by the router's link
      </Link>
    </main>
  );
}

function Own() {
  return (
    <main>
      <h1>Own</h1>
      <OwnLink />
    </main>
  );
}

function App() {
  useEffect(() => {
    document.documentElement.dataset.ready = '';
  }, []);
  return (
    <BrowserRouter>
      <nav>
        <Link to="/">Home</Link> <Link to="/account">Account</Link> <Link to="/element">Element</Link>{' '}
        <Link to="/own">Own</Link>
      </nav>
      <Routes>
        <Route path="/" element={<h1>Home</h1>} />
        <Route path="/account" element={<Account />} />
        <Route path="/account/cancel" element={<h1>Cancel page</h1>} />
        <Route path="/element" element={<Element />} />
        <Route path="/own" element={<Own />} />
      </Routes>
    </BrowserRouter>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
