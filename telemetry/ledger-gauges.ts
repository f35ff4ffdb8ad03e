import { Gauge, type OpenMetricsContentType, type Registry } from 'prom-client';
import { currencyDecimals } from '../domain/money.js';
import type { LedgerFigures } from '../ledger/progress/ledger-figures.js';

/** Shows figures of the books; every scraped process shows the same, so rules take the greatest of them. */
export interface LedgerGauges {
  /** @param figures null while the ledger does not answer: then only that is shown. */
  show(figures: LedgerFigures | null, nowMs: number): void;
}

/** Registers the gauges of the ledger. Money is in units of its currency. */
export function createLedgerGauges(registry: Registry<OpenMetricsContentType>): LedgerGauges {
  const gauge: MakeGauge = (name, help, labelNames = []) =>
    new Gauge({ name: `greenlight_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const up = gauge('ledger_up', 'Whether the ledger answered (1) or not (0).');
  const rows = gauge('rows', 'Rows of batches that are not over, by state.', ['campaign', 'batch', 'state']);
  const blocked = gauge('rows_blocked', 'Rows that may not be ordered now.', ['campaign', 'batch', 'reason']);
  const oldest = gauge('oldest_row_age_seconds', 'How long the row that waits longest has been in its state.', [
    'state',
  ]);
  const lag = gauge('follow_lag_seconds', 'How late the most overdue poll of a running movie is.');
  const alarmed = gauge('rows_alarmed', 'Rows with an alarm, of batches that are not over, by state.', ['state']);
  const batches = gauge('batches', 'Batches by state.', ['state']);
  const stops = gauge('batch_stops', 'Batches in progress that a stop keeps from ordering, by kind.', ['kind']);
  const inFlight = gauge('in_flight', 'Movies in progress at a service.', ['service']);
  const limit = gauge('in_flight_limit', 'Maximum movies in progress at a service; absent without a limit.', [
    'service',
  ]);
  const { showMoney, ofMoney } = moneyGauges(gauge);
  const halted = gauge('ledger_halted', '1: nothing is ordered until a person has checked.');
  const audit = gauge('audit_events', 'Length of the audit chain.');
  const all = [rows, blocked, oldest, lag, alarmed, batches, stops, inFlight, limit, ...ofMoney, halted, audit];
  // Without labels it would be 0 before anything is known, but unknown is never zero.
  const single = [lag, halted, audit];

  return {
    show(figures, nowMs) {
      for (const one of all) one.reset();
      for (const one of single) one.remove();
      up.set(figures ? 1 : 0);
      if (!figures) return;
      for (const { campaign, batchId, state, count } of figures.rows)
        rows.set({ campaign, batch: batchId, state }, count);
      for (const { campaign, batchId, reason, count } of figures.blocked) {
        blocked.set({ campaign, batch: batchId, reason }, count);
      }
      for (const { state, sinceMs } of figures.oldest) oldest.set({ state }, Math.max(0, nowMs - sinceMs) / 1000);
      lag.set(figures.nextLookMs === null ? 0 : Math.max(0, nowMs - figures.nextLookMs) / 1000);
      for (const { state, count } of figures.alarmed) alarmed.set({ state }, count);
      for (const { state, count } of figures.batches) batches.set({ state }, count);
      for (const { kind, count } of figures.stops) stops.set({ kind }, count);
      for (const { name, inFlight: now, limit: most } of figures.services) {
        inFlight.set({ service: name }, now);
        if (most !== null) limit.set({ service: name }, most);
      }
      showMoney(figures);
      halted.set(figures.halted ? 1 : 0);
      audit.set(figures.auditLength);
    },
  };
}

type MakeGauge = <Label extends string = never>(
  name: string,
  help: string,
  labelNames?: readonly Label[],
) => Gauge<Label>;

function moneyGauges(gauge: MakeGauge) {
  const budget = gauge('budget_amount', 'Money of a budget level.', ['path', 'currency', 'rehearsal', 'kind']);
  const held = gauge('held_amount', 'Money held for orders without an answer.', ['currency']);
  function showMoney(figures: LedgerFigures): void {
    for (const { path, currency, rehearsal, ...money } of figures.budgets) {
      const units = (amountMinor: number) => inUnits(amountMinor, currency);
      const labels = { path, currency, rehearsal: String(rehearsal) };
      budget.set({ ...labels, kind: 'limit' }, units(money.limitMinor));
      budget.set({ ...labels, kind: 'committed' }, units(money.committedMinor));
      budget.set({ ...labels, kind: 'spent' }, units(money.spentMinor));
      budget.set({ ...labels, kind: 'overrun' }, units(money.overrunMinor));
    }
    for (const { currency, amountMinor } of figures.held) held.set({ currency }, inUnits(amountMinor, currency));
  }
  return { showMoney, ofMoney: [budget, held] };
}

/** @returns a function that shows how many counters differed from their entries when last compared. */
export function createSoundnessGauge(registry: Registry<OpenMetricsContentType>): (differences: number) => void {
  const help = 'Counters of money that are not what their entries say; more than 0: an incident.';
  const gauge = new Gauge({ name: 'greenlight_ledger_unsound', help, registers: [registry] });
  gauge.remove();
  return (differences) => gauge.set(differences);
}

function inUnits(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** currencyDecimals(currency);
}
