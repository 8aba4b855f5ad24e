import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** What every call of docs/SQL-CONTRACT.md needs, and nothing of the business: Invoices is the service. */
final class Contract {
  /** Somebody took the operation over: whatever we do about it from here on is not ours to do. */
  static final class Fenced extends Exception {}

  interface Work<T> {
    T run() throws SQLException, Fenced;
  }

  /** complete() says so that somebody else owns the operation now. */
  private static final String FENCED = "OB001";

  final Connection db;

  Contract(String url) throws SQLException {
    URI at = URI.create(url);
    String[] login = at.getUserInfo().split(":");
    // A text is whatever type the argument has: uuid, jsonb, bigint.
    String jdbc = "jdbc:postgresql://%s:%d%s?stringtype=unspecified".formatted(at.getHost(), at.getPort(), at.getPath());
    db = DriverManager.getConnection(jdbc, login[0], login[1]);
  }

  /** Rows of a statement. Ids and JSON are texts. */
  List<Map<String, Object>> rows(String text, List<Object> values) throws SQLException {
    try (PreparedStatement statement = db.prepareStatement(text)) {
      for (int i = 0; i < values.size(); i++) {
        Object value = values.get(i);
        statement.setObject(i + 1, value instanceof List<?> list ? array(list) : value);
      }
      List<Map<String, Object>> rows = new ArrayList<>();
      if (!statement.execute()) return rows;
      ResultSet found = statement.getResultSet();
      while (found.next()) {
        Map<String, Object> row = new HashMap<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          Object value = found.getObject(i);
          boolean asText = value instanceof UUID || value instanceof Array || value instanceof java.util.Date;
          row.put(found.getMetaData().getColumnLabel(i), asText ? found.getString(i) : value);
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** Calls a function of the contract with named arguments. */
  List<Map<String, Object>> call(String function, Map<String, Object> args) throws SQLException {
    String names = args.keySet().stream().map(name -> "p_" + name + " => ?").collect(Collectors.joining(", "));
    return rows("select * from onceboard." + function + "(" + names + ")", new ArrayList<>(args.values()));
  }

  /** A write of the owner. It carries the fence; `false` says that the fence is not ours any more. */
  void owned(String function, Map<String, Object> claim, Map<String, Object> args) throws SQLException, Fenced {
    Map<String, Object> all = new HashMap<>(args);
    all.put("tenant", Invoices.TENANT);
    all.put("operation_id", claim.get("operation_id"));
    all.put("fence", claim.get("fence"));
    try {
      if (call(function, all).get(0).get(function).equals(false)) throw new Fenced();
    } catch (SQLException error) {
      if (FENCED.equals(error.getSQLState())) throw new Fenced();
      throw error;
    }
  }

  /** One transaction: all of it, or nothing when it throws. */
  <T> T together(Work<T> work) throws SQLException, Fenced {
    db.setAutoCommit(false);
    try {
      T done = work.run();
      db.commit();
      return done;
    } finally {
      db.rollback();
      db.setAutoCommit(true);
    }
  }

  /** An array in PostgreSQL's own words, so that it is of the type of its argument. */
  private static String array(List<?> list) {
    return list.stream().map(each -> json(each.toString())).collect(Collectors.joining(",", "{", "}"));
  }

  /** Alternating names and values; null is allowed. */
  static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
    return map;
  }

  static Map<String, Object> with(Map<String, Object> first, Map<String, Object> second) {
    Map<String, Object> all = new TreeMap<>(first);
    all.putAll(second);
    return all;
  }

  /** In canonical form: members sorted, no white space. */
  static String json(Object value) {
    if (value instanceof Map<?, ?> map)
      return map.entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
    if (value instanceof List<?> list) return list.stream().map(Contract::json).collect(Collectors.joining(",", "[", "]"));
    if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
    return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** First byte 0: as it is, the console may read it. */
  static byte[] readable(String text) {
    return ("\0" + text).getBytes(StandardCharsets.UTF_8);
  }

  static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (java.security.NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  /** UUIDv7: sorts by time, so indexes stay warm. */
  static String newId() {
    long random = new SecureRandom().nextLong();
    long time = (System.currentTimeMillis() << 16) | 0x7000 | (random & 0xfff);
    return new UUID(time, (new SecureRandom().nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L).toString();
  }
}
