/** Starts the application in the page. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../design/tokens.css';
import '../design/base.css';
import { isRefusal } from '../api/call.ts';
import { applyDensity, applyTheme, followSystemTheme } from '../design/theme.ts';
import { Toasts } from '../widgets/toasts.tsx';
import { buildRouter } from './router.tsx';
import { StepUp } from './step-up.tsx';

applyTheme();
applyDensity();
followSystemTheme();

/** Retries only calls without an answer, because a refusal would be repeated. */
const RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < RETRIES && isRefusal(error) && (error.status === 0 || error.status >= 500),
    },
  },
});
const router = buildRouter(queries);

const place = document.getElementById('app');
if (place === null) throw new Error('the page has no place for the application');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Toasts>
        <StepUp router={router} />
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
