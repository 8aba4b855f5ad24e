package attach;

import io.eventuate.common.id.ApplicationIdGenerator;
import io.eventuate.common.jdbc.EventuateCommonJdbcOperations;
import io.eventuate.common.jdbc.EventuateJdbcOperationsUtils;
import io.eventuate.common.jdbc.EventuateSchema;
import io.eventuate.common.jdbc.OutboxPartitioningSpec;
import io.eventuate.common.jdbc.sqldialect.PostgresDialect;
import io.eventuate.common.spring.jdbc.EventuateSpringJdbcStatementExecutor;
import io.eventuate.common.spring.jdbc.EventuateSpringTransactionTemplate;
import io.eventuate.tram.consumer.jdbc.SqlTableBasedDuplicateMessageDetector;
import io.eventuate.tram.messaging.common.Message;
import io.eventuate.tram.messaging.common.SubscriberIdAndMessage;
import io.eventuate.tram.messaging.producer.MessageBuilder;
import io.eventuate.tram.messaging.producer.jdbc.MessageProducerJdbcImpl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Eventuate Tram itself: its tables, its producer, and what keeps a consumer from handling a message twice. Its CDC service is not here. */
public class Program {
  static final String[] SCRIPTS = {
    "/flyway/postgresql/V1__eventuate_postgres.sql",
    "/flyway/postgresql/V2__tram_database_postgres.sql",
    "/flyway-templates/postgresql/3.create-message-table.sql",
  };

  public static void main(String[] args) throws IOException {
    var environment = System.getenv();
    var source =
        new DriverManagerDataSource(
            "jdbc:postgresql://" + environment.get("PGHOST") + ":" + environment.get("PGPORT") + "/" + environment.get("PGDATABASE")
                + "?currentSchema=eventuate",
            environment.get("PGUSER"),
            environment.get("PGPASSWORD"));
    var jdbc = new JdbcTemplate(source);
    jdbc.execute("create schema eventuate");
    for (var script : SCRIPTS) jdbc.execute(read(script));

    var statements = new EventuateSpringJdbcStatementExecutor(jdbc);
    var dialect = new PostgresDialect();
    var schema = new EventuateSchema();
    var ids = new ApplicationIdGenerator();
    var operations =
        new EventuateCommonJdbcOperations(
            new EventuateJdbcOperationsUtils(dialect), statements, dialect, OutboxPartitioningSpec.DEFAULT);

    var waiting = MessageBuilder.withPayload("{\"order\":1}").withHeader(Message.PARTITION_ID, "17").build();
    waiting.setHeader(Message.DESTINATION, "orders");
    new MessageProducerJdbcImpl(operations, ids, schema).send(waiting);
    say("out:" + waiting.getId(), "outgoing", "waiting");
    // As what was sent some other way is written.
    var sent = operations.insertPublishedMessageIntoMessageTable(ids, "{\"order\":2}", "orders", Map.of(), schema);
    say("out:" + sent, "outgoing", "sent");

    var detector =
        new SqlTableBasedDuplicateMessageDetector(
            schema,
            dialect.getCurrentTimeInMillisecondsExpression(),
            statements,
            new EventuateSpringTransactionTemplate(new TransactionTemplate(new DataSourceTransactionManager(source))));
    // Delivered twice, and handled once.
    for (var delivery = 0; delivery < 2; delivery++)
      detector.doWithMessage(
          new SubscriberIdAndMessage("billing", waiting), () -> say("in:7:billing" + waiting.getId(), "incoming", "done"));
  }

  /** A script as its own migrations would run it, with one table for messages. */
  static String read(String script) throws IOException {
    try (var stream = Program.class.getResourceAsStream(script)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("${EVENTUATE_OUTBOX_SUFFIX}", "");
    }
  }

  static void say(String id, String view, String state) {
    System.out.println("{\"id\": \"" + id + "\", \"view\": \"" + view + "\", \"state\": \"" + state + "\"}");
    System.out.flush();
  }
}
