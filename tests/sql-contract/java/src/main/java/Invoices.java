import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The service of ../invoices.py in Java with plain JDBC. docs/SQL-CONTRACT.md is all that it knows of the engine.
 *
 * <pre>
 * Invoices DATABASE_URL register | recover | consume
 * Invoices DATABASE_URL issue KEY CUSTOMER MINOR_UNITS
 * Invoices DATABASE_URL receive MESSAGE_ID OPERATION_ID
 * </pre>
 *
 * It prints one line of JSON. HOLD=claimed|prepared|marked|sent|taken makes it wait there for a line of input.
 */
public final class Invoices {
  static final String TENANT = "acme";
  private static final String OWNER = "invoices-java";
  private static final String PRINCIPAL = "billing";
  private static final String OPERATION = "invoices.issue";
  private static final String CONSUMER = "billing.payments";
  private static final String INSTANCE = System.getenv().getOrDefault("INSTANCE", "billing-1");
  private static final int LEASE_MS = 30_000;
  private static final List<String> POLICY = List.of("lease_ms", "ttl_seconds", "metadata_days", "max_attempts", "expired");

  private final Contract sql;

  private Invoices(Contract sql) {
    this.sql = sql;
  }

  private Map<String, Object> register() throws SQLException {
    var expects = Contract.map("once", "One invoice was sent.", "none", "No invoice was sent.", "doubt",
        "It is not known whether an invoice was sent.", "event", "invoice.issued", "entry", "none");
    var provider = Contract.map("provider", "mailhouse", "dedupes_for_hours", Double.POSITIVE_INFINITY, "queryable", true);
    var kind = Contract.map("name", OPERATION, "owner", OWNER, "label", "Invoice", "path", "provider", "version", "1",
        "expects", Contract.json(expects), "actions", List.of("reconcile", "resolve", "release"));
    var changed = sql.call("register_operation_kind", Contract.with(kind, provider)).get(0).get("register_operation_kind");
    return Contract.map("changed", changed);
  }

  private Map<String, Object> claim(String key, Map<String, Object> command) throws SQLException {
    String text = Contract.json(command);
    var args = Contract.map("tenant", TENANT, "operation", OPERATION, "key", key, "operation_id", Contract.newId(), "principal",
        PRINCIPAL, "fingerprint", Contract.hash(text), "owner", INSTANCE, "lease_ms", LEASE_MS, "account", command.get("customer"),
        "amount", command.get("amount"), "currency", "EUR", "command", Contract.readable(text));
    var decided = sql.call("operation_policy", Contract.map("tenant", TENANT, "operation", OPERATION)).get(0);
    for (String name : POLICY) if (decided.get(name) != null) args.put(name, decided.get(name));
    return sql.call("claim", args).get(0);
  }

  /** For the people who look later. What the first caller was told is recorded by complete(). */
  private void note(Map<String, Object> about, String kind, Map<String, Object> more) throws SQLException {
    var event = Contract.map("tenant_id", TENANT, "id", Contract.newId(), "operation_id", about.get("operation_id"), "operation",
        OPERATION, "actor", INSTANCE, "type", kind, "at", OffsetDateTime.now());
    sql.call("record_events", Contract.map("events", Contract.json(List.of(Contract.with(event, more)))));
  }

  /** The key stands for something already. Nothing runs here, except what a dead owner left. */
  private Map<String, Object> answerExisting(Map<String, Object> claim) throws SQLException {
    var outcome = (String) claim.get("outcome");
    var told = Contract.map("at", claim.get("asked_at"), "client", PRINCIPAL);
    if (outcome.equals("replay")) {
      byte[] kept = (byte[]) claim.get("body");
      String body = new String(kept, 1, kept.length - 1, java.nio.charset.StandardCharsets.UTF_8);
      var status = claim.get("response_status");
      String served = HexFormat.of().formatHex(Contract.hash(body));
      note(claim, "replayed", Contract.with(told, Contract.map("outcome", "replayed", "status", status, "served_hash", served)));
      return Contract.map("outcome", "replayed", "status", status, "body", body);
    }
    if (outcome.equals("conflict"))
      note(claim, "conflict", Contract.with(told, Contract.map("outcome", "conflict", "status", 409, "code", "idempotency.payload_mismatch")));
    if (outcome.equals("stale") || outcome.equals("unknown"))
      return Contract.map("outcome", outcome, "recovered", recover((String) claim.get("operation_id")));
    return Contract.map("outcome", outcome, "state", claim.get("state"));
  }

  /** Provider path: no transaction is open during the call, and the send is marked before it. */
  private Map<String, Object> issue(String key, Map<String, Object> command) throws SQLException, Contract.Fenced {
    var claim = claim(key, command);
    if (!claim.get("outcome").equals("claimed")) return answerExisting(claim);
    hold("claimed");
    String request = Contract.newId();
    String invoice = sql.together(() -> {
      // One invoice per operation, also when it runs again under its key.
      var row = sql.rows("""
          insert into billing.invoices (id, operation_id, customer, amount, status) values (?, ?, ?, ?, 'pending')
          on conflict (operation_id) do update set status = excluded.status returning id""",
          List.of(Contract.newId(), claim.get("operation_id"), command.get("customer"), command.get("amount"))).get(0);
      sql.owned("prepare_provider", claim, Contract.map("id", request, "provider_key", "invoice_" + row.get("id"), "provider",
          "mailhouse", "kind", "send", "amount", command.get("amount"), "currency", "EUR"));
      return (String) row.get("id");
    });
    hold("prepared");
    sql.owned("mark_sent", claim, Contract.map("request", request)); // committed before the first byte leaves
    hold("marked");
    // Another company. It dedupes by our key, and commits on its own: nothing of ours can undo it.
    var reference = sql.rows("""
        insert into mailhouse.letters (provider_key) values (?)
        on conflict (provider_key) do update set asked = letters.asked + 1 returning reference""",
        List.of("invoice_" + invoice)).get(0).get("reference");
    hold("sent");
    sql.call("answer_provider", Contract.map("tenant", TENANT, "request", request, "outcome", "succeeded", "reference", reference));
    var event = Contract.map("event_id", Contract.newId(), "attempt", claim.get("attempts"), "client", PRINCIPAL);
    return settle(claim, "issued", invoice, command, event);
  }

  /** The invoice, the answer, the outbox row and, when a caller is told now, the event of it: all of them or none. */
  private Map<String, Object> settle(Map<String, Object> claim, String status, String invoice, Map<String, Object> command,
      Map<String, Object> event) throws SQLException, Contract.Fenced {
    boolean refused = status.equals("failed");
    var issued = Contract.with(command, Contract.map("invoiceId", invoice));
    String body = Contract.json(refused ? Contract.map("code", "invoice.not_sent") : issued);
    int code = refused ? 422 : 201;
    var kept = Contract.map("state", refused ? "FAILED_REPLAYABLE" : "COMPLETED", "status", code, "body", Contract.readable(body),
        "served_hash", Contract.hash(body), "headers", "{\"content-type\":\"application/json\"}", "schema_version", "2026-02-01",
        "resource_type", "invoice", "resource_id", invoice, "error_code", refused ? "invoice.not_sent" : null,
        "outbox", refused ? null : message(claim.get("operation_id"), invoice, issued));
    sql.together(() -> { // fenced undoes the invoice too
      sql.rows("update billing.invoices set status = ? where id = ?", List.of(status, invoice));
      sql.owned("complete", claim, Contract.with(kept, event));
      return null;
    });
    return Contract.map("outcome", "executed", "status", code, "body", body);
  }

  private static String message(Object operationId, String invoice, Map<String, Object> issued) {
    String id = UUID.nameUUIDFromBytes((operationId + "invoice.issued").getBytes()).toString(); // the same one in every recovery
    var data = Contract.with(issued, Contract.map("operationId", operationId));
    var payload = Contract.map("id", id, "type", "invoice.issued", "tenant", TENANT, "data", data);
    return Contract.json(List.of(Contract.map("id", id, "aggregate_type", "invoice", "aggregate_id", invoice, "topic", "invoices",
        "type", "invoice.issued", "payload", payload, "headers", Map.of())));
  }

  /** What operators ask for, then what nobody owns; of one operation or of all. */
  private List<Object> recover(String one) throws SQLException {
    List<Object> settled = new ArrayList<>();
    var args = Contract.map("tenant", TENANT, "owner", INSTANCE, "lease_ms", LEASE_MS, "operations", List.of(OPERATION), "operation_id", one);
    // One at a time: a batch would hold leases that run out.
    for (var taken = sql.call("claim_recovery", args); !taken.isEmpty(); taken = sql.call("claim_recovery", args))
      settled.add(settleTaken(taken.get(0)));
    for (var taken : sql.call("take_over", Contract.with(args, Contract.map("limit", 10, "now_please", one != null))))
      settled.add(settleTaken(taken));
    return settled;
  }

  private Map<String, Object> settleTaken(Map<String, Object> taken) throws SQLException {
    hold("taken");
    String to = "fenced";
    try {
      to = decide(taken);
      if (!taken.containsKey("action")) // of what an operator asked for, the settlement itself is the event
        note(taken, "reconciled", Contract.map("fence", taken.get("fence"), "detail", Contract.map("from", taken.get("state"), "to", to)));
    } catch (Contract.Fenced fenced) {
      // Nothing was written: whoever has it settles it.
    }
    return Contract.map("operationId", taken.get("operation_id"), "to", to);
  }

  private String decide(Map<String, Object> taken) throws SQLException, Contract.Fenced {
    if (List.of("RECEIVED", "LOCAL_PAYMENT_CREATED").contains(taken.get("stage"))) {
      sql.owned("fail_retryable", taken, Contract.map("error_code", "transient.owner_lost"));
      return "FAILED_RETRYABLE";
    }
    sql.owned("extend_lease", taken, Contract.map("lease_ms", LEASE_MS)); // the mail house may be slow
    String lookUp = Contract.newId();
    var key = taken.get("provider_key");
    sql.owned("journal_provider_request", taken, Contract.map("id", lookUp, "provider_key", key, "provider", "mailhouse", "kind", "lookup"));
    var letters = sql.rows("select reference from mailhouse.letters where provider_key = ?", List.of(key));
    boolean sent = !letters.isEmpty();
    sql.call("answer_provider", Contract.map("tenant", TENANT, "request", lookUp, "outcome", sent ? "succeeded" : "absent",
        "reference", sent ? letters.get(0).get("reference") : null));
    var invoice = sql.rows("select id, customer, amount::text from billing.invoices where operation_id = ?", List.of(taken.get("operation_id"))).get(0);
    String id = (String) invoice.remove("id");
    var untold = Contract.map("event_id", null);
    var decision = taken.get("outcome"); // of a person; null where nobody decided
    if ("failed".equals(decision) && !sent) { // a person's word never stands against the mail house's
      settle(taken, "failed", id, invoice, untold);
      return "FAILED_REPLAYABLE";
    }
    if ("succeeded".equals(decision) || decision == null && sent) {
      settle(taken, "issued", id, invoice, untold);
      return "COMPLETED";
    }
    String finding = sent ? "the mail house has it" : "the mail house does not know it";
    sql.owned("mark_unknown", taken, Contract.map("finding", finding, "checked", true, "next_check_ms", 60_000));
    return "UNKNOWN_REQUIRES_RECOVERY";
  }

  private Map<String, Object> receive(String messageId, String operationId) throws SQLException {
    String payload = Contract.json(Map.of("data", Map.of("operationId", operationId)));
    var args = Contract.map("tenant", TENANT, "id", Contract.newId(), "arrival_id", Contract.newId(), "consumer", CONSUMER, "source", "bank",
        "message_id", messageId, "type", "invoice.paid", "operation_id", operationId, "payload", payload, "payload_hash",
        Contract.hash(payload), "headers", "{}", "request_id", null);
    return Contract.map("outcome", sql.call("receive", args).get(0).get("outcome"));
  }

  /** What came for our consumer: its effect and the mark that it was handled are one transaction. */
  private Map<String, Object> consume() throws SQLException {
    List<Object> handled = new ArrayList<>();
    for (boolean alone : new boolean[] {false, true}) {
      var args = Contract.map("tenant", TENANT, "owner", INSTANCE, "consumers", List.of(CONSUMER), "alone", alone);
      for (var rows = sql.call("claim_inbox", args); !rows.isEmpty(); rows = sql.call("claim_inbox", args))
        handled.add(Contract.map("messageId", rows.get(0).get("message_id"), "result", handle(rows.get(0))));
    }
    return Contract.map("handled", handled);
  }

  private Object handle(Map<String, Object> message) throws SQLException {
    try {
      return sql.together(() -> {
        var paid = sql.rows("update billing.invoices set status = 'paid' where operation_id = ? returning id", List.of(message.get("operation_id")));
        if (paid.isEmpty()) throw new IllegalStateException("There is no invoice of this operation.");
        var held = Contract.map("tenant", TENANT, "ids", List.of(message.get("id")), "fences", List.of(message.get("fence")), "results", List.of("paid"));
        if (sql.call("finish_inbox", held).isEmpty()) throw new Contract.Fenced();
        return "paid";
      });
    } catch (Contract.Fenced fenced) {
      return "fenced";
    } catch (IllegalStateException error) {
      return sql.call("fail_inbox", Contract.map("tenant", TENANT, "id", message.get("id"), "fence", message.get("fence"), "error_code",
          "billing.no_invoice", "error", error.getMessage(), "delay_ms", 60_000)).get(0).get("fail_inbox");
    }
  }

  private static void hold(String point) {
    if (!point.equals(System.getenv("HOLD"))) return;
    System.out.println(Contract.json(Map.of("holding", point)));
    new java.util.Scanner(System.in).nextLine();
  }

  public static void main(String[] args) throws SQLException {
    var service = new Invoices(new Contract(args[0]));
    Map<String, Object> answer;
    try {
      answer = switch (args[1]) {
        case "register" -> service.register();
        case "issue" -> service.issue(args[2], Contract.map("customer", args[3], "amount", args[4]));
        case "recover" -> Contract.map("recovered", service.recover(null));
        case "receive" -> service.receive(args[2], args[3]);
        case "consume" -> service.consume();
        default -> throw new IllegalArgumentException(args[1]);
      };
    } catch (Contract.Fenced fenced) {
      answer = Contract.map("outcome", "fenced");
    }
    System.out.println(Contract.json(answer));
  }
}
